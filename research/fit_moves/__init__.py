"""The worths by which `patterns` sorts moves, fitted to moves that were played."""
