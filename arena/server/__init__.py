"""The page on this machine: runs watched, games against engines, engines that think."""
