"""What page, report and terminal all draw: cards, exemplars, map, thumbnails, groups by size."""
