"""The command line: `brain [--home DIR] COMMAND`. A command asks the brain, renders, and ends with an exit code."""
