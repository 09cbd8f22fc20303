"""`data import`, `export`, `check` and `publish`: what a person sees, bad input, and faults that are caused for real."""
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).parent.parent / "formats"))
from dataset_files import public_row, write_public  # noqa: E402


def import_rows(program, folder: Path, rows) -> None:
    answer = program("data", "import", str(write_public(folder / "in.parquet", rows)))
    assert answer.status == 0, answer.err


def contents(folder: Path) -> dict:
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file() and p.name != ".willitrun.lock"}


def test_unchanged_files_are_not_imported_again(program, tmp_path):
    source = tmp_path / "in"
    write_public(source / "1.parquet", [public_row("a/b")])
    assert "1 rows of 1 files imported; 0 files unchanged" in program("data", "import", str(source)).out
    write_public(source / "2.parquet", [public_row("a/c"), public_row("a/d")])
    assert "2 rows of 1 files imported; 1 files unchanged" in program("data", "import", str(source)).out


def test_what_is_not_there_is_named(program, tmp_path):
    answer = program("data", "import", str(tmp_path / "absent"))
    assert answer.status == 3 and f"no file or folder '{tmp_path / 'absent'}'" in answer.err
    empty = tmp_path / "empty"
    empty.mkdir()
    answer = program("data", "check", str(empty))
    assert answer.status == 3 and "holds no Parquet file" in answer.err


def test_check_says_what_is_wrong_and_where(program, tmp_path):
    folder = tmp_path / "in"
    write_public(folder / "a.parquet", [public_row("a/b", wall_s=-1), public_row("a/b"), public_row("a/c", neuronx_cc="9")])
    write_public(folder / "b.parquet", [public_row("a/d")], leave_out=["exclusion"])
    (folder / "cut.parquet").write_bytes((folder / "a.parquet").read_bytes()[:-1])
    answer = program("data", "check", "--json", str(folder))
    assert answer.status == 1
    problems = [(Path(p["file"]).name, p["row"], p["message"]) for p in answer.json()["problems"]]
    assert problems == [
        ("a.parquet", 0, "column 'wall_s' is negative: -1"),
        ("a.parquet", 1, f"'a/b' is here twice for one stack and target: also row 0 of '{folder}/a.parquet'"),
        ("a.parquet", 2, "'a/c' is of another stack than the file: it belongs into 'neuronx-cc-9_transformers-5.10.2.parquet'"),
        ("b.parquet", None, "the schema drifts: this file lacks columns that others of its folder have: exclusion"),
        ("cut.parquet", None, f"is cut: its end is missing after {(folder / 'cut.parquet').stat().st_size} bytes"),
    ]
    people = program("data", "check", str(folder))
    assert people.status == 1 and f"{folder}/a.parquet row 0: column 'wall_s' is negative: -1" in people.out


def test_an_exported_folder_passes_its_own_check(program, tmp_path):
    import_rows(program, tmp_path, [public_row("a/b"), public_row("a/c", neuronx_cc="2.28+x")])
    assert program("data", "export", str(tmp_path / "out")).status == 0
    answer = program("data", "check", str(tmp_path / "out"))
    assert (answer.status, answer.out) == (0, "nothing is wrong\n")


def test_publishing_writes_a_card_and_takes_out_what_is_private(program, tmp_path):
    row = public_row("a/b", error=f"token hf_{'x' * 30} in /home/jane/x on buildbox7", run_py="open('/home/jane/x')")
    import_rows(program, tmp_path, [row])
    answer = program("data", "publish", "--with-imported", str(tmp_path / "out"), HOSTNAME="buildbox7.example.com")
    assert answer.status == 0 and "1 rows and a dataset card" in answer.out
    published = pq.read_table(tmp_path / "out" / "trn2").to_pylist()[0]
    assert published["error"] == "token <secret> in ~/x on <host>"
    assert published["run_py"] == "open('~/x')"
    card = (tmp_path / "out" / "README.md").read_text()
    assert card.startswith("---\nlicense: apache-2.0\n") and "config_name: trn2\n    data_files: trn2/*.parquet" in card
    kept = tmp_path / "kept"
    program("data", "export", str(kept))
    assert pq.read_table(kept / "trn2").to_pylist()[0]["error"] == row["error"], "an export of one's own changes nothing"


def test_others_results_are_published_only_when_asked_for(program, tmp_path):
    import_rows(program, tmp_path, [public_row("a/b")])
    assert "0 rows" in program("data", "publish", str(tmp_path / "out")).out


def test_pushing_calls_hf_upload_and_tells_when_it_fails(program, tmp_path):
    tools = tmp_path / "tools"
    tools.mkdir()
    hf = tools / "hf"
    hf.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {tmp_path}/called\nexit ${{STATUS:-0}}\n')
    hf.chmod(0o755)
    path = f"{tools}:{os.environ['PATH']}"
    assert program("data", "publish", str(tmp_path / "out"), "--push", "me/results", PATH=path).status == 0
    arguments = (tmp_path / "called").read_text().split("\n")
    assert arguments[:6] == ["upload", "me/results", str(tmp_path / "out"), ".", "--repo-type", "dataset"]
    hf.write_text("#!/bin/sh\necho no such token >&2\nexit 7\n")
    answer = program("data", "publish", str(tmp_path / "out"), "--push", "me/results", PATH=path)
    assert answer.status == 3 and "no such token" in answer.err
    assert program("data", "publish", "--push", "../x", PATH=path).status == 2


def test_a_file_size_limit_while_exporting_leaves_the_old_files(program, tmp_path):
    import_rows(program, tmp_path, [public_row("a/b")])
    program("data", "export", str(tmp_path / "out"))
    before = contents(tmp_path / "out")
    import_rows(program, tmp_path / "more", [public_row("a/b", error=os.urandom(200_000).hex())])

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    done = subprocess.run([program.binary, "data", "export", tmp_path / "out"], env=program.environment, preexec_fn=limit,
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 3 and "File too large" in done.stderr
    assert contents(tmp_path / "out") == before


def test_kill_in_the_middle_of_an_export_leaves_whole_files(program, tmp_path):
    rows = [public_row(f"a/{i}", neuronx_cc=f"2.{i % 20}", error=os.urandom(2000).hex()) for i in range(400)]
    import_rows(program, tmp_path, rows)
    for delay_ms in (5, 20, 40, 80, 120, 200):
        child = subprocess.Popen([program.binary, "-q", "data", "export", tmp_path / "out"], env=program.environment)
        time.sleep(delay_ms / 1000)
        child.kill()
        child.wait()
        for path in (tmp_path / "out").rglob("[!.]*.parquet"):
            assert pq.read_table(path).num_rows == 20
    assert program("data", "export", str(tmp_path / "out")).status == 0
    assert pq.read_table(tmp_path / "out" / "trn2").num_rows == 400
    assert not list((tmp_path / "out").rglob("*.tmp"))


def test_kill_in_the_middle_of_an_import_leaves_all_or_nothing_of_a_file(program, tmp_path):
    source = write_public(tmp_path / "in.parquet", [public_row(f"a/{i}", error=os.urandom(500).hex()) for i in range(3000)])
    for delay_ms in (30, 80, 150, 250):
        child = subprocess.Popen([program.binary, "-q", "data", "import", source], env=program.environment)
        time.sleep(delay_ms / 1000)
        child.kill()
        child.wait()
        answer = program("data", "export", str(tmp_path / "out"))
        assert answer.status == 0, answer.err
        assert ": 0 rows" in answer.out or ": 3000 rows" in answer.out
    assert program("data", "import", str(source)).status == 0


def test_two_imports_at_once_both_arrive(program, tmp_path):
    sources = [write_public(tmp_path / str(n) / "in.parquet", [public_row(f"a{n}/{i}") for i in range(300)]) for n in (1, 2)]
    children = [subprocess.Popen([program.binary, "-q", "data", "import", s], env=program.environment) for s in sources]
    assert [child.wait(60) for child in children] == [0, 0]
    assert ": 600 rows" in program("data", "export", str(tmp_path / "out")).out


def test_commands_without_parquet_do_not_load_arrow(program):
    trace = subprocess.run([program.binary, "targets"], env=program.environment | {"LD_DEBUG": "libs"}, capture_output=True, text=True)
    assert trace.returncode == 0 and "libarrow" not in trace.stderr
