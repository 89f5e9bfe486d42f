"""A collection that was begun with `init --pages`, cloned on GitHub: its workflow and hook do what they say."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest
import yaml
from installing import Shell, shell_with
from running import files_of

jsonschema = pytest.importorskip("jsonschema", reason="it comes with check-jsonschema, which the oldest versions lack")


@pytest.fixture
def clone(shell: Shell, tmp_path: Path) -> Path:
    """What `actions/checkout` gets of a collection that its owner has built and pushed."""
    shell.must("paper-notes init notes --pages && cd notes && paper-notes build", tmp_path)
    shell.must("cd notes && git init -q && git add -A && git commit -qm Begin && git clone -q . ../clone", tmp_path)
    return tmp_path / "clone"


def workflow(clone: Path) -> dict:
    """The workflow as GitHub reads it: `on` is a word there, and YAML 1.1 takes it for a truth."""
    return yaml.load((clone / ".github/workflows/pages.yml").read_text("utf-8"), yaml.BaseLoader)


def test_the_site_is_not_committed_and_the_notes_are(clone: Path) -> None:
    assert not (clone / "site").exists()
    assert (clone / "notes_src/site.yaml").is_file()


def published(name: str) -> dict:
    """A schema of SchemaStore, as check-jsonschema brings it along."""
    schema = files("check_jsonschema").joinpath(f"builtin_schemas/vendor/{name}.json")
    return json.loads(schema.read_text("utf-8"))


def test_the_workflow_is_one_by_the_published_schema(clone: Path) -> None:
    jobs = workflow(clone)
    judge = jsonschema.validators.validator_for(schema := published("github-workflows"))(schema)
    typed = yaml.safe_load((clone / ".github/workflows/pages.yml").read_text("utf-8"))
    typed = {"on" if key is True else key: value for key, value in typed.items()}
    assert [error.message for error in judge.iter_errors(typed)] == []
    typed["jobs"]["build"]["step"] = typed["jobs"]["build"].pop("steps")
    assert list(judge.iter_errors(typed)), "the schema sees mistakes"
    assert jobs["jobs"]["deploy"]["needs"] == "build"


def test_each_step_of_the_workflow_runs_in_a_clone(clone: Path, wheel: Path, shell: Shell, tmp_path: Path) -> None:
    """With the wheel in place of the version on PyPI: what installs the program is one variable."""
    told = workflow(clone)
    assert list(told["env"]) == ["PAPER_NOTES"]
    fresh, home = tmp_path / "fresh", tmp_path / "runner"
    home.mkdir()
    runner = shell_with(
        fresh,
        home,
        **{**told["env"], "PAPER_NOTES": str(wheel)},
        PIP_TARGET=str(fresh),
        PIP_NO_DEPS="1",
        PIP_NO_INDEX="1",
    )
    assert runner.type("command -v paper-notes", clone).stdout.strip() != str(fresh / "bin/paper-notes")
    steps = [step["run"] for step in told["jobs"]["build"]["steps"] if "run" in step]
    assert len(steps) == 2
    for step in steps:
        runner.must(step, clone)
    assert runner.must("command -v paper-notes", clone).strip() == str(fresh / "bin/paper-notes")

    uploaded = next(step["with"]["path"] for step in told["jobs"]["build"]["steps"] if "upload" in step.get("uses", ""))
    assert (clone / uploaded / "index.html").is_file()
    assert files_of(clone / "site") == files_of(tmp_path / "notes/site"), "the same bytes as on the owner's machine"
    assert runner.must("git status --porcelain", clone) == "", "and nothing else is written"
    kept = next(
        step["with"]["path"] for step in told["jobs"]["build"]["steps"] if "actions/cache@" in step.get("uses", "")
    )
    assert any(Path(kept.replace("~", str(home))).rglob("cache.sqlite")), (
        "what is remembered is where the cache is kept"
    )


def test_the_hook_stops_a_commit_with_mistakes(clone: Path, shell: Shell) -> None:
    config = yaml.safe_load((clone / ".pre-commit-config.yaml").read_text("utf-8"))
    ((hook,),) = [repository["hooks"] for repository in config["repos"]]
    assert {"id", "name", "entry", "language"} <= hook.keys()
    shell.must(hook["entry"], clone)
    note = next(clone.glob("notes_src/reading/*/en.md"))
    note.write_text(note.read_text("utf-8") + "\n[[#9]]\n", "utf-8")
    done = shell.type(hook["entry"], clone)
    assert done.returncode == 1
    assert "dangling-reference" in done.stderr
