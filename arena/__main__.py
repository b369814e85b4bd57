"""`python -m arena`: the `arena` script as a module."""

from arena.cli import main

main()
