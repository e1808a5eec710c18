"""What a client does with pages: it joins them by the JSON Pointer of each."""


class Joined:
    """The answer of which pages have been added; a value that comes twice or leaves a gap is an error."""

    def __init__(self):
        self.value = {}

    def add(self, page):
        page = dict(page)
        pointer = page.pop("continues", "")
        page.pop("next", None)
        path = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
        self.value = _merged(self.value, page, path)


def _merged(old, new, path):
    if not path:
        return _continued(old, new)
    if isinstance(old, list):
        assert int(path[0]) in {len(old), len(old) - 1}, "a gap in a list"
        if int(path[0]) == len(old):
            return [*old, *new]
        return [*old[:-1], _merged(old[-1], new[0], path[1:]), *new[1:]]
    first, *rest = new
    assert first == path[0], "the page begins elsewhere"
    merged = {**old, first: _merged(old[first], new[first], path[1:])} if first in old else {**old, first: new[first]}
    assert not set(rest) & set(old), "a member comes twice"
    return {**merged, **{name: new[name] for name in rest}}


def _continued(old, new):
    if isinstance(old, str):
        return old + new
    assert not old, "a value comes twice"
    return new
