"""Links between nodes: paths, neighbourhoods, related nodes, dependents, components and drawings, by networkx.

`graph.links.links` has `Links`; it loads networkx, which takes a fifth of a second, when the complete graph is needed.
"""
