"""`python -m arena`: the same as the `arena` script."""

from arena.cli import main

main()
