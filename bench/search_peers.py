"""How fast names are found: bench_search at a hundredth, a tenth and all of the names, and SQLite's FTS5 trigram index on all.

  .venv/bin/python bench/search_peers.py [--names 2000000] [--json FILE]

SQLite is asked for parts of names of three bytes and more, from everywhere in the ranking (a trigram index has no shorter ones); first
50 matches in rank order. Processor time, one thread.
"""
import argparse
import json
import random
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

from figures import add_json_option, report

BINARY = Path(__file__).resolve().parent.parent / "build/release/bin/bench_search"


def parts_of(names, count):
    chance = random.Random(7)
    while count:
        name = chance.choice(names)
        start = chance.randrange(len(name) - 1)
        part = name[start:start + chance.randint(3, 12)]
        if len(part) >= 3:
            count -= 1
            yield part


def sqlite_ms(names):
    """Milliseconds to build the index, and sorted ones of 300 first pages."""
    database = sqlite3.connect(":memory:")
    database.execute("create virtual table names using fts5(name, tokenize='trigram', detail='full')")
    begin = time.process_time()
    database.executemany("insert into names(rowid, name) values (?, ?)", enumerate(names, 1))
    build = (time.process_time() - begin) * 1000
    pages = []
    for part in parts_of(names, 300):
        query = '"' + part.replace('"', '""') + '"'
        begin = time.process_time()
        database.execute("select rowid from names where names match ? order by rowid limit 50", (query,)).fetchall()
        pages.append((time.process_time() - begin) * 1000)
    return build, sorted(pages)


def run_ours(num_names, folder):
    """The figures of one size; the names are left in names.txt."""
    result = folder / "ours.json"
    subprocess.run([BINARY, str(num_names), folder / "names.txt", "--json", result], check=True, stdout=subprocess.DEVNULL)
    return json.loads(result.read_text())


def with_sqlite(figures, names):
    build, pages = sqlite_ms(names)
    peers = {"build the index": build, "first page p50, 3000 searches": pages[150], "first page p99, 3000 searches": pages[297]}
    for figure in figures:
        if peer := peers.get(figure["name"].split(": ", 1)[1]):
            figure |= {"peer": round(peer, 3), "peer_name": "SQLite FTS5 trigram", "ratio": round(peer / figure["ours"], 1)}
    return figures


def measure(num_names, folder):
    figures = [figure for part in (100, 10) for figure in run_ours(num_names // part, folder)]
    largest = run_ours(num_names, folder)
    figures += with_sqlite(largest, (folder / "names.txt").read_text().splitlines())
    return [figure | {"command": f"python bench/search_peers.py --names {num_names}"} for figure in figures]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--names", type=int, default=2_000_000)
    add_json_option(parser)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(options.names, Path(folder))
    report(figures, options.json)


if __name__ == "__main__":
    main()
