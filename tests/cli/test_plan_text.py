"""What `plan` prints for people."""
import json

from test_plan_cases import CASES, make_checkpoint


def plan(program, tmp_path, name, *arguments):
    case = json.loads(next(path for path in CASES if path.parent.name == name).read_text())
    make_checkpoint(tmp_path / "model", case)
    return program("plan", *arguments, tmp_path / "model").out.splitlines()


def test_a_model_that_fits(program, tmp_path):
    lines = plan(program, tmp_path, "G16_large_dense")
    assert lines[0].endswith("on trn2 with Transformers 5.24.0: fits on 4 cores, tp")
    bars = {line.split()[0]: line for line in lines if "█" in line}
    assert list(bars) == ["1", "2", "4", "8", "16"]
    assert "needs 30.8 GiB per core of 24.0 GiB" in bars["2"] and "128 %" in bars["2"]
    assert bars["4"].endswith("fits, and is chosen") and bars["8"].endswith("fits")
    assert bars["8"].count("█") < bars["4"].count("█") < bars["2"].count("█") == 24
    assert "Model     llama, 33.1 B parameters in bfloat16" in lines
    assert any(line.startswith("Assumed   one sequence of 64 + 32 tokens") for line in lines)
    assert lines[-1].startswith("Next      willitrun test ")


def test_a_model_that_does_not(program, tmp_path):
    lines = plan(program, tmp_path, "G1_kv_heads_limit_tp", "--prompt-tokens", "100")
    assert ": does not fit: " in lines[0] and lines[0].endswith("cannot be split over 8 cores")
    assert lines[-1].startswith("Next      a smaller or quantised sibling")


def test_files_that_are_wrong(program, tmp_path):
    lines = plan(program, tmp_path, "B1_ghost_tensor")
    assert ": the files are wrong: 1 ghost tensor" in lines[0]
    assert lines[-1] == "Next      download the files again, or tell the model's owner"


def test_a_model_that_needs_its_own_code(program, tmp_path):
    lines = plan(program, tmp_path, "G8_remote_code")
    assert ": cannot run: " in lines[0]
    assert "--allow-remote-code" in lines[-1]
