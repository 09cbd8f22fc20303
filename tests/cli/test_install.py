"""An installed program works without its source tree's data files."""
import subprocess

from program import ROOT, Program


def test_an_installed_program_finds_its_data_files(binary, tmp_path):
    prefix = tmp_path / "prefix"
    build = binary.parent.parent
    subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    installed = Program(prefix / "bin" / "willitrun", tmp_path / "home")
    assert {row["name"] for row in installed("targets", "--json").json()["rows"]} >= {"cpu", "trn2"}
    (prefix / "share/willitrun/targets/trn2.toml").unlink()
    assert "trn2" not in {row["name"] for row in installed("targets", "--json").json()["rows"]}, "reads the installed files"
    assert (prefix / "share/man/man1/willitrun.1").exists()


def test_the_bash_completion_offers_commands_and_targets(binary):
    script = f"""
      PATH={binary.parent}:$PATH; . {ROOT}/tools/completions/willitrun.bash
      COMP_WORDS=(willitrun tar); COMP_CWORD=1; _willitrun; echo "${{COMPREPLY[@]}}"
      COMP_WORDS=(willitrun plan --target trn2); COMP_CWORD=3; _willitrun; echo "${{COMPREPLY[@]}}"
    """
    answers = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.splitlines()
    assert answers[0] == "targets"
    assert "trn2" in answers[1].split()
