"""What page, report and terminal all draw: cards, exemplars, map, thumbnails, names of groups."""
