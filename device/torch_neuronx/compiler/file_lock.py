"""A lock between processes that is given up after a while."""

import contextlib
import fcntl
import os
import pathlib
import time

_POLL_S = 0.05


@contextlib.contextmanager
def locked(path: pathlib.Path, timeout_s: float):
    """Holds the lock file `path`; yields whether it was had in time. A process that dies lets go of its locks."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        yield _acquire(descriptor, time.monotonic() + timeout_s)
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, deadline: float) -> bool:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_POLL_S)
