"""The cache of derived values: for committed versions only, once for all threads, never across a write."""

import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest

from graph.store.versioned_cache import VersionedCache

SECONDS = 10
"""How long a thread waits for another one before the test fails."""


class Counter:
    def __init__(self):
        self.number, self.writes = 1, False

    def cache(self, size=8):
        return VersionedCache(lambda: self.number, lambda: self.writes, size)


@pytest.fixture
def counter():
    return Counter()


@pytest.fixture
def threads():
    with ThreadPoolExecutor(8) as pool:
        yield pool


class Paused:
    """Makes a value, or fails, when it is let go."""

    def __init__(self, value):
        self.begun, self.go, self.value = threading.Event(), threading.Event(), value

    def __call__(self):
        self.begun.set()
        assert self.go.wait(SECONDS)
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


@pytest.fixture
def begin(threads):
    def started(cache, made):
        first = threads.submit(cache.get, "a", made)
        assert made.begun.wait(SECONDS)
        return first

    return started


def never():
    raise AssertionError("the value is cached already")


@pytest.mark.parametrize("value", [1, None, (), False])
def test_a_value_is_made_once_for_a_version(counter, value):
    cache = counter.cache()
    for number in (1, 2):
        counter.number = number
        assert cache.get("a", lambda: value) == value
        assert cache.get("a", never) == value


def test_what_a_writing_thread_computes_is_not_cached(counter):
    cache = counter.cache()
    counter.number, counter.writes = 2, True
    assert cache.get("a", lambda: "uncommitted") == "uncommitted"
    counter.writes = False
    assert cache.get("a", lambda: "committed") == "committed"


def test_cached_values_serve_a_writing_thread_until_its_write_changes_them(counter):
    cache = counter.cache()
    cache.get("a", lambda: 1)
    counter.writes = True
    assert cache.get("a", never) == 1
    counter.number = 2
    assert cache.get("a", lambda: 2) == 2


def test_a_value_computed_across_a_write_is_not_cached(counter):
    cache = counter.cache()

    def make():
        counter.number = 2
        return "of both"

    assert cache.get("a", make) == "of both"
    counter.number = 1  # as for a thread that read the version just before the write
    assert cache.get("a", lambda: "of the first") == "of the first"


def test_threads_that_want_one_value_get_it_from_the_first(counter, threads, begin):
    cache, slow = counter.cache(), Paused(object())
    first = begin(cache, slow)
    others = [threads.submit(cache.get, "a", never) for _ in range(3)]
    slow.go.set()
    assert {id(other.result(SECONDS)) for other in others} == {id(first.result(SECONDS))}


def test_a_thread_that_computes_holds_up_only_those_who_want_the_same(counter, threads, begin):
    cache, slow = counter.cache(), Paused("slow")
    cache.get("kept", lambda: 1)
    first = begin(cache, slow)
    assert threads.submit(cache.get, "b", lambda: "quick").result(SECONDS) == "quick"
    assert threads.submit(cache.get, "kept", never).result(SECONDS) == 1
    slow.go.set()
    assert first.result(SECONDS) == "slow"


def test_who_waited_across_a_write_gets_the_value_of_the_new_version(counter, threads, begin):
    cache, old = counter.cache(), Paused("old")
    first = begin(cache, old)
    other = threads.submit(cache.get, "a", lambda: f"of version {counter.number}")
    counter.number = 2
    old.go.set()
    assert first.result(SECONDS) == "old"
    assert other.result(SECONDS) == "of version 2"
    assert cache.get("a", never) == "of version 2"


def test_a_failure_is_passed_on_and_the_next_in_line_tries_itself(counter, threads, begin):
    cache, fails = counter.cache(), Paused(OSError("the disk is full"))
    first = begin(cache, fails)
    other = threads.submit(cache.get, "a", lambda: "made")
    fails.go.set()
    with pytest.raises(OSError, match="disk"):
        first.result(SECONDS)
    assert other.result(SECONDS) == "made"


def test_a_value_may_be_made_from_others_and_of_too_many_the_least_recently_used_goes(counter, threads):
    cache = counter.cache()
    asked = threads.submit(cache.get, "whole", lambda: cache.get("part", lambda: 1) + 1)
    assert (asked.result(SECONDS), cache.get("part", never)) == (2, 1)
    cache = counter.cache(size=2)
    for key in ("a", "b"):
        cache.get(key, lambda key=key: key)
    cache.get("a", never)
    cache.get("c", lambda: "c")
    assert [cache.get(key, never) for key in "ac"] == ["a", "c"]
    assert cache.get("b", lambda: "again") == "again"


def test_a_write_of_another_thread_does_not_keep_this_one_from_keeping(lite, make, threads):
    """The store notifies a cache of the writes of the calling thread only."""
    cache, inside, go = lite.cache(4), threading.Event(), threading.Event()

    def write():
        with lite.transaction():
            make.put(lite, make.node("oats"))
            inside.set()
            assert go.wait(SECONDS)

    writing = threads.submit(write)
    assert inside.wait(SECONDS)
    assert cache.get("count", lambda: sum(lite.nodes.count().values())) == 0
    assert cache.get("count", never) == 0
    go.set()
    writing.result(SECONDS)
    assert cache.get("count", lambda: sum(lite.nodes.count().values())) == 1


@pytest.mark.parametrize(
    ("of", "raised"), [("version", {"run", "claims", "nodes"}), ("claims", {"claims"}), ("graph", {"nodes"})]
)
def test_a_cache_follows_the_counter_that_it_names(lite, make, of, raised):
    cache = lite.cache(4, of)
    make.put(lite, make.node("barley"))
    writes = {
        "run": lambda: make.run(lite, []),
        "claims": lambda: lite.claims.put("claims.yaml", [make.claim("a")]),
        "nodes": lambda: make.put(lite, make.node("oats"), name="other.md"),
    }
    for name, write in writes.items():
        before = cache.get("it", object)
        write()
        assert (cache.get("it", object) is not before) == (name in raised), name


def test_what_was_derived_from_an_old_version_is_released(store, make):
    """Of the store itself and of a reader for whom a brain is hidden: a new version leaves nothing of the old one."""
    view = store.for_reader(frozenset({"eve"}))
    caches = [one.cache(8) for one in (store, view)]
    released = []
    for number in range(3):
        make.put(store, make.node(f"n{number}"), name=f"n{number}.md")
        for cache in caches:
            state = cache.get("state", Derived)
            assert cache.get("state", Derived) is state
            released.append(weakref.ref(state))
            del state
    gc.collect()
    assert [one() is None for one in released] == [True] * 4 + [False] * 2


class Derived:
    """A value made from one version."""
