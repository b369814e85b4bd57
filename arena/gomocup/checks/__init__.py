"""The checks of a brain; one file is one group of them."""
