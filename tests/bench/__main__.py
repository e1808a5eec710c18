"""Runs a program of this folder by its name: `python -m tests.bench windows HOME`."""

import runpy
import sys

if len(sys.argv) < 2:
    sys.exit("usage: python -m tests.bench windows|corpus|mutants …")
runpy.run_module(f"tests.bench.{sys.argv.pop(1)}", run_name="__main__", alter_sys=True)
