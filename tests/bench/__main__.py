"""Lists the benchmarks, or runs one by its name with its options.

python -m tests.bench               the names, with what each measures
python -m tests.bench NAME …        as `python tests/bench/bench_NAME.py …`
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PREFIX = "bench_"


def benchmarks() -> dict[str, Path]:
    """The programs by their names."""
    return {path.stem.removeprefix(PREFIX): path for path in sorted(HERE.glob(f"{PREFIX}*.py"))}


def listing() -> str:
    """One line for each program: its name and the first sentence of its description."""
    said = {name: ast.get_docstring(ast.parse(path.read_text())) or "" for name, path in benchmarks().items()}
    return "".join(f"{name:16}{text.partition(chr(10))[0]}\n" for name, text in said.items())


def main(arguments: list[str]) -> int:
    """The exit code of the program, 2 for an unknown name."""
    if not arguments:
        sys.stdout.write(listing())
        return 0
    path = benchmarks().get(arguments[0])
    if path is None:
        sys.stderr.write(f"there is no benchmark {arguments[0]}: choose one of {', '.join(benchmarks())}\n")
        return 2
    environment = os.environ | {"PYTHONPATH": str(HERE.parents[1])}
    return subprocess.run([sys.executable, str(path), *arguments[1:]], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
