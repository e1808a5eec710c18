"""Explanations: a verdict's reason, working, expectation and flip points, in words."""
