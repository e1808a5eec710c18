"""The linter of claims: differences between what a text says and what a claim tests."""
