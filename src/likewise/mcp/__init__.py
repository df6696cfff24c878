"""The Model Context Protocol: agents read groups, are asked and answer, within limits."""

from likewise.mcp.protocol import ToolServer
from likewise.mcp.tools import Rights, StudyTools

__all__ = ["Rights", "StudyTools", "ToolServer"]
