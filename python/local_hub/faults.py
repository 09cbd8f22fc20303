"""Faults that tests order, and what was asked of the server.

A fault is a JSON object. Which requests it meets:
  path     regular expression, searched in the request's path and query
  times    how many requests it meets; absent: all
What happens to them:
  status        answer with this status instead; `headers` (object) and `text` go with it
  headers       alone: headers that are added to the right answer
  cut_after     close the connection after so many bytes of content
  stall_after   send nothing more after so many bytes, but keep the connection open
  slow_ms       pause before each piece of 64 kB
  flip_byte     change the content's byte at this position
  ignore_range  send the whole file with status 200
  json          answer with this JSON document
  page          give at most so many rows of a list at once
"""
import json
import re
import threading


class Faults:
    def __init__(self):
        self.lock = threading.Lock()
        self.rules: list[dict] = []
        self.log: list[dict] = []

    def set(self, rules: list[dict]):
        for rule in rules:
            re.compile(rule["path"])
        with self.lock:
            self.rules = rules

    def meet(self, path: str) -> dict:
        """The first fault that meets a request; an empty one if none does."""
        with self.lock:
            for rule in self.rules:
                if rule.get("times", 1) > 0 and re.search(rule["path"], path):
                    if "times" in rule:
                        rule["times"] -= 1
                    return rule
        return {}

    def record(self, **facts) -> dict:
        with self.lock:
            self.log.append(facts)
        return facts

    def counters(self) -> str:
        with self.lock:
            return json.dumps({"requests": len(self.log), "bytes": sum(entry["bytes"] for entry in self.log), "log": self.log})

    def reset(self):
        with self.lock:
            self.rules = []
            self.log = []
