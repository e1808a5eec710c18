"""The doors: the command line, HTTP, pages and agents. `api.brain` is where the other rooms meet."""
