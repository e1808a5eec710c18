"""The links: trails, neighbourhoods, kin, dependents, components and drawings, by networkx."""

from graph.links.links import Links

__all__ = ["Links"]
