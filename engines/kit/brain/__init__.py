"""Programs that talk the Gomocup protocol: their processes, commands, and messages."""
