"""python -m oracle: compares `willitrun plan` with Transformers on real configurations.

The last line is `oracle: E equal, X explained, U unbuildable, D different`; the exit status is 1 when D is not 0.
"""

import argparse
import json
import logging
import multiprocessing
import os
import pathlib
import subprocess
import sys
import time

os.environ.update(TORCH_DEVICE_BACKEND_AUTOLOAD="0", HF_HUB_OFFLINE="1", OMP_NUM_THREADS="1")

import transformers  # noqa: E402

from . import expected  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIME_LIMIT_S = 180
# Reasons for which the library refuses, too.
REFUSALS = ("heads_not_divisible", "experts_not_divisible", "vocab_not_divisible", "no_plan")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--configs", type=pathlib.Path, default=ROOT / "../shared/data/hub/models", help="folder of <owner>/<name>/config.json")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/oracle", help="where checkpoints and answers are kept")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/bin/willitrun")
    parser.add_argument("--match", default="", help="only configurations whose path contains this text")
    parser.add_argument("--fresh", action="store_true", help="ask Transformers again where an answer is kept")
    arguments = parser.parse_args()
    transformers.logging.set_verbosity(logging.CRITICAL)
    work = arguments.work / transformers.__version__
    configs = sorted(arguments.configs.glob("**/config.json"))
    configs = [path for path in configs if arguments.match in str(path)]
    if not configs:
        print(f"no configurations under {arguments.configs}")
        print("oracle: 0 equal, 0 explained, 0 unbuildable, 0 different")
        return 0
    answers = {}
    for number, path in enumerate(configs, 1):
        name = str(path.parent.relative_to(arguments.configs))
        answers[name] = ask(path, work / name, arguments.fresh)
        if sys.stderr.isatty():
            print(f"\r{number}/{len(configs)} {name:<70.70}", end="", file=sys.stderr)
    return report(compare(answers, work, arguments.program))


def ask(path, folder, fresh):
    """The expected sizes of one configuration, kept from an earlier run where there is one."""
    kept = folder / "expected.json"
    if kept.exists() and not fresh:
        return json.loads(kept.read_text())
    folder.mkdir(parents=True, exist_ok=True)
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    process = context.Process(target=work_on, args=(path, folder, queue))
    process.start()
    deadline = time.monotonic() + TIME_LIMIT_S
    while process.is_alive() and queue.empty() and time.monotonic() < deadline:
        time.sleep(0.005)
    answer = queue.get() if not queue.empty() else {"unbuildable": "took too long" if process.is_alive() else "the process died"}
    process.kill()
    process.join()
    kept.write_text(json.dumps(answer))
    return answer


def work_on(path, folder, queue):
    sys.stdin = open(os.devnull)  # nobody answers whether remote code may run
    try:
        queue.put(expected.describe(path, folder))
    except expected.Unbuildable as error:
        queue.put({"unbuildable": str(error)})
    except Exception as error:
        queue.put({"failed": f"{type(error).__name__}: {expected.first_line(error)}"})


def compare(answers, work, program):
    """{name: (verdict, detail)}; verdict is equal, explained, unbuildable or different."""
    explained = json.loads((pathlib.Path(__file__).parent / "explained.json").read_text()).get(transformers.__version__, {})
    planned = plan_all([name for name, answer in answers.items() if "loaded" in answer], work, program)
    verdicts = {}
    for name, answer in answers.items():
        if "unbuildable" in answer:
            verdicts[name] = ("unbuildable", answer["unbuildable"])
        elif "failed" in answer:
            verdicts[name] = ("different", answer["failed"])
        else:
            found = differences(answer, planned.get(name))
            known = explained.get(name)
            if not found:
                verdicts[name] = ("equal", "")
            elif known and known["differences"] == found:
                verdicts[name] = ("explained", known["reason"])
            else:
                verdicts[name] = ("different", "; ".join(found))
    return verdicts


def plan_all(names, work, program):
    """Plans all checkpoints in one run of the program."""
    if not names:
        return {}
    command = [str(program), "plan", "--json", "--target", "trn2", "--transformers", transformers.__version__]
    command += [str((work / name).resolve()) for name in names]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode not in (0, 1):
        raise SystemExit(f"{program} failed: {answer.stderr}")
    return {name: json.loads(line) for name, line in zip(names, answer.stdout.splitlines())}


def differences(answer, plan):
    """What differs, in words: the same text every time, so that an explanation can pin it."""
    if plan is None:
        return ["no plan"]
    found = []
    for field in ("loaded", "buffers"):
        if plan["bytes"][field] != answer[field]:
            found.append(f"{field} {plan['bytes'][field]} not {answer[field]}")
    if plan["parameters"] != answer["parameters"]:
        found.append(f"parameters {plan['parameters']} not {answer['parameters']}")
    options = {(option["mode"], option["cores"]): option for option in plan["options"] if option["per_core"] > 0}
    for mode, by_cores in answer["per_rank"].items():
        for cores, size in by_cores.items():
            option = options.pop((mode, int(cores)), None)
            if option is None:
                found.append(f"{mode} on {cores}: not offered")
            elif isinstance(size, str):
                if (option["reason"] or {}).get("code") not in REFUSALS:
                    found.append(f"{mode} on {cores}: the library refuses: {size}")
            elif option["per_core"] != size:
                found.append(f"{mode} on {cores}: {option['per_core']} not {size}")
    found += [f"{mode} on {cores}: offered, but not by the library" for mode, cores in options if cores > 1]
    return found


def report(verdicts):
    counts = {kind: sum(1 for verdict, _ in verdicts.values() if verdict == kind) for kind in ("equal", "explained", "unbuildable", "different")}
    for kind in ("unbuildable", "explained", "different"):
        for name, (verdict, detail) in verdicts.items():
            if verdict == kind:
                print(f"{kind}: {name}: {detail}")
    print(", ".join(f"{'oracle: ' if kind == 'equal' else ''}{count} {kind}" for kind, count in counts.items()))
    return 1 if counts["different"] else 0


sys.exit(main())
