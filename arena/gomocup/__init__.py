"""The Gomocup protocol: the programs that talk it, called brains."""
