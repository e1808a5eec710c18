"""Catalogues: one importer for each source, all giving `compute.catalog.Catalog`."""
