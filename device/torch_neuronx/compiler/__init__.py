"""torch.compile(backend="neuron"): captured graph -> compiled graph, kept in a cache of NEFF-shaped files."""
