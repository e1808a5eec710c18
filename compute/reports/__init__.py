"""Reports of a run for other programs and for files: Markdown, JUnit, SARIF, JSON. Each is a function of a `Report`."""
