"""Ask every operation of a plan through the generated client. It runs in the generator's environment, without brain.

walk.py FOLDER URL TOKEN < plan: [{"module": "api.nodes.nodes_find", "arguments": {…}}, …] > what each answered
"""

import importlib
import json
import sys

import httpx


def main(folder, url, token):
    sys.path.insert(0, folder)
    client = importlib.import_module("brain_client").AuthenticatedClient(url, token, raise_on_unexpected_status=True)
    client = client.with_timeout(httpx.Timeout(60))
    found = {}
    for step in json.load(sys.stdin):
        asked = importlib.import_module(f"brain_client.{step['module']}")
        answer = asked.sync_detailed(client=client, **step["arguments"])
        found[step["module"]] = {
            "status": answer.status_code,
            "parsed": type(answer.parsed).__name__,
            "json": answer.headers["content-type"].startswith("application/json"),
            "undescribed": sorted(set(undescribed(answer.parsed))),
            "bytes": len(answer.content),
        }
    json.dump(found, sys.stdout)


def undescribed(value):
    """Keys of an answer that the schema of its object does not name; an object that names none is a mapping."""
    if isinstance(value, list):
        for one in value:
            yield from undescribed(one)
    elif hasattr(value, "additional_properties"):
        fields = {one.name: getattr(value, one.name) for one in value.__attrs_attrs__}
        extra = fields.pop("additional_properties")
        if fields:
            yield from (f"{type(value).__name__}.{key}" for key in extra)
        for one in [*fields.values(), *extra.values()]:
            yield from undescribed(one)


if __name__ == "__main__":
    main(*sys.argv[1:])
