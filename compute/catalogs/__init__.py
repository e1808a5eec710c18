"""Catalogues: one importer per source; each returns a `compute.prices.catalog_model.Catalog`."""
