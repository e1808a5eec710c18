"""The figures of texts: statements and drafts of claims, proofs, figures that follow a claim, new claims."""
