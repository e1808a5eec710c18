"""The pages that people look at: the brain asked, its answer as a frozen model, a template, a typeset page."""
