"""Web pages: a function queries the brain and returns a frozen model, which a template renders as HTML."""
