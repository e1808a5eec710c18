"""Links between nodes: paths, neighbourhoods, related nodes, dependents and drawings, by networkx."""
