"""Links between nodes: paths, neighbourhoods, related nodes, dependents, components and drawings, by networkx."""

from graph.links.links import Links

__all__ = ["Links"]
