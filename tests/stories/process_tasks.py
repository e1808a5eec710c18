"""Functions that workers of the tests compute, and a scheduler in a process of its own."""

import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class WaitsOnce:
    """Doubles numbers. The first worker that gets a 7 writes its process id and waits until it is killed."""

    folder: Path

    def __call__(self, number):
        if number == 7 and not (self.folder / "pid").exists():
            (self.folder / "part").write_text(str(os.getpid()))
            (self.folder / "part").rename(self.folder / "pid")
            time.sleep(600)
        return 2 * number


def process_id(_item):
    return os.getpid()


def killed_each_time(_item):
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":  # a scheduler and a worker, until this process is killed
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=None
    ) as cluster:
        print(cluster.scheduler_address, flush=True)
        time.sleep(600)
