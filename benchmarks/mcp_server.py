"""The other side: the MCP SDK's low-level server on stdio with one Tool, as its documentation writes it."""

from __future__ import annotations

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

ECHO = types.Tool(
    name="bench.echo",
    description="Give the text back.",
    input_schema={
        "type": "object",
        "additionalProperties": False,
        "required": ["text"],
        "properties": {"text": {"type": "string", "maxLength": 1000}},
    },
)


async def list_tools(
    _context: ServerRequestContext, _params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    """The one Tool."""
    return types.ListToolsResult(tools=[ECHO])


async def call_tool(_context: ServerRequestContext, params: types.CallToolRequestParams) -> types.CallToolResult:
    """Answer with the text that came in."""
    text = str((params.arguments or {}).get("text"))
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)])


async def main() -> None:
    """Serve until the end of input."""
    server = Server("bench", version="1.0.0", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
