"""One module for each kind of page: asks the brain, returns the keywords of a template."""
