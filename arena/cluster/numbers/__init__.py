"""Functions of whole numbers, such as the draws of a book, on the machines of a cluster."""
