"""Finds the same names with SQLite's FTS5 trigram index.

  build/release/bin/bench_search 2000000 /tmp/names.txt > /tmp/ours.jsonl
  python3 bench/search_peers.py /tmp/names.txt /tmp/ours.jsonl

Parts of names of three bytes and more, from everywhere in the ranking (a trigram index has no shorter ones); first 50 matches in
rank order. Processor time.
"""
import json
import random
import sqlite3
import sys
import time
from pathlib import Path


def main(names_path, ours_path):
    names = Path(names_path).read_text().splitlines()
    ours = {figure["name"].split(": ", 1)[1]: figure for figure in map(json.loads, Path(ours_path).read_text().splitlines())}
    db = sqlite3.connect(":memory:")
    db.execute("create virtual table names using fts5(name, tokenize='trigram', detail='full')")
    begin = time.process_time()
    db.executemany("insert into names(rowid, name) values (?, ?)", enumerate(names, 1))
    build_ms = (time.process_time() - begin) * 1000
    chance = random.Random(7)
    times = []
    while len(times) < 300:
        name = chance.choice(names)
        start = chance.randrange(len(name) - 1)
        part = name[start:start + chance.randint(3, 12)]
        if len(part) < 3:
            continue
        query = '"' + part.replace('"', '""') + '"'
        begin = time.process_time()
        db.execute("select rowid from names where names match ? order by rowid limit 50", (query,)).fetchall()
        times.append((time.process_time() - begin) * 1000)
    times.sort()
    for name, peer in (("build the index", build_ms), ("first page p50, 3000 searches", times[150]), ("first page p99, 3000 searches", times[297])):
        figure = ours[name]
        print(json.dumps(figure | {"peer": round(peer, 3), "peer_name": "SQLite FTS5 trigram", "ratio": round(peer / figure["ours"], 1)}))


if __name__ == "__main__":
    main(*sys.argv[1:3])
