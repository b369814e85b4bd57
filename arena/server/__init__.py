"""The page on this machine: runs watched and looked at, and games against engines."""
