"""Page requests and their answers, free of any web framework."""
