"""One module for each kind of page: asks the brain, returns a frozen model."""
