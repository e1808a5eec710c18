"""What schemathesis has to know about our media types; it loads this file by the variable SCHEMATHESIS_HOOKS."""

import schemathesis

schemathesis.serializer.alias("application/sparql-query", "text/plain")
