"""Catalogues: one importer for each source, all giving `compute.prices.catalog_model.Catalog`."""
