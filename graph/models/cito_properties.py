"""The properties of CiTO 2.8, the Citation Typing Ontology, by which one work may cite another."""

_NAMES = """
    agreesWith cites citesAsAuthority citesAsDataSource citesAsEvidence citesAsMetadataDocument
    citesAsPotentialSolution citesAsRecommendedReading citesAsRelated citesAsSourceDocument citesForInformation
    compiles confirms containsAssertionFrom corrects credits critiques derides describes disagreesWith discusses
    disputes documents extends includesExcerptFrom includesQuotationFrom linksTo obtainsBackgroundFrom
    obtainsSupportFrom parodies plagiarizes qualifies refutes repliesTo retracts reviews ridicules speculatesOn
    supports updates usesConclusionsFrom usesDataFrom usesMethodIn"""

CITO_PROPERTIES = frozenset(_NAMES.split())
"""The local names, such as `supports`."""
