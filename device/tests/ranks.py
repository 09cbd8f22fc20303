"""Starts the ranks of a group as processes of their own, as a launcher does."""

import os
import socket
import subprocess
import sys


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def run_ranks(command: list[str], world_size: int, timeout_s: float = 240, local_ranks=None, **environment):
    """Runs `python <command>` once per rank; returns their subprocess.CompletedProcess (text) in order."""
    port = str(free_port())
    processes = []
    for rank in range(world_size):
        local_rank = local_ranks[rank] if local_ranks else rank
        rank_environment = {
            "RANK": str(rank),
            "LOCAL_RANK": str(local_rank),
            "WORLD_SIZE": str(world_size),
            "LOCAL_WORLD_SIZE": str(world_size),
            "MASTER_ADDR": "127.0.0.1",
            "MASTER_PORT": port,
            "OMP_NUM_THREADS": "1",
        }
        processes.append(
            subprocess.Popen(
                [sys.executable, *command],
                env={**os.environ, **rank_environment, **environment},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
    done = []
    try:
        for process in processes:
            out, err = process.communicate(timeout=timeout_s)
            done.append(subprocess.CompletedProcess(process.args, process.returncode, out, err))
    finally:
        for process in processes:
            process.kill()
    return done
