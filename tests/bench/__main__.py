"""Runs a program of this folder by its name: `python -m tests.bench windows HOME`."""

import runpy
import sys

runpy.run_module(f"tests.bench.{sys.argv.pop(1)}", run_name="__main__", alter_sys=True)
