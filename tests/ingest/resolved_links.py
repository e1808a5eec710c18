"""Documents with their links resolved, for tests that do not ask which are left."""

from ingest.linking.link_resolution import linked_documents


def resolve(documents, known=None):
    return [linked.document for linked in linked_documents(documents, known)]
