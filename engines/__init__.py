"""The engines: one file is one engine, under the name that users type."""
