"""Catalogues: one importer per source; each returns a `compute.prices.price_models.Catalog`."""
