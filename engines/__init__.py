"""The engines: one file is one engine, under the name that users type."""

if __name__ == "engines":
    raise ImportError("import arena.engines in place of engines: the engines are part of arena")
