"""The interfaces: the command line, HTTP, web pages and MCP. `api.brain` connects the other packages."""
