"""A collection that was begun with `init --pages`, cloned on GitHub: its workflow and hook do what they say."""

from __future__ import annotations

import json
import os
import re
import shutil
from importlib.resources import files
from pathlib import Path

import pytest
import yaml
from fake_outside import FakeOutside, daily, daily_paper
from installing import Shell, shell_with
from running import PROJECT, Once, files_of, paper_notes

from paper_notes.engine.user_cache import cache_folder
from paper_notes.project import InstalledFrom

jsonschema = pytest.importorskip("jsonschema", reason="it comes with check-jsonschema, which the oldest versions lack")


@pytest.fixture(scope="session")
def begun(once: Once, installed: Path) -> Path:
    """Where a collection is that its owner has built and pushed, and what `actions/checkout` gets of it."""

    def begin(place: Path) -> None:
        shell = shell_with(installed, place)
        readme = (PROJECT / "README.md").read_text("utf-8")
        (begin,) = re.findall(r"```sh\npipx install .*\n(paper-notes init ../my-notes) *#", readme)
        said = shell.must(f"mkdir tool && cd tool && {begin}", place)
        ((git, pages),) = re.findall(r"^(git init && .*)\n(paper-notes init --pages) +#", readme, re.MULTILINE)
        shell.must(f"mv my-notes notes && cd notes && {git.replace('you/my-notes', 'me/notes')}", place)
        published = shell.must(f"cd notes && {pages}", place)
        assert "updated notes_src/site.yaml" in published
        assert "The site will be at https://me.github.io/notes/: site.yaml says so" in published
        assert "To publish: git push, and choose GitHub Actions under Settings -> Pages." in published
        build, _, new = re.findall(r"^  (paper-notes .*?) +# ", said, re.MULTILINE)
        shell.must(f"cd notes && {new} --offline && {build}", place)
        shell.must("cd notes && git add -A && git commit -qm Begin && git clone -q . ../clone", place)

    return once("on-github", begin)


@pytest.fixture
def clone(begun: Path, tmp_path: Path) -> Path:
    """What `actions/checkout` gets of a collection, which is beside it."""
    for name in ("notes", "clone"):
        shutil.copytree(begun / name, tmp_path / name)
    return tmp_path / "clone"


@pytest.fixture
def built_before(clone: Path, begun: Path, shell: Shell) -> Path:
    """The same, where it and its first commit were built: what was remembered of it is there."""
    caches = Path(".cache/paper-notes")
    for root in (clone, clone.with_name("before")):
        place = Path(shell.environment["HOME"], caches, cache_folder(root).name)
        shutil.copytree(begun / caches / cache_folder(begun / "notes").name, place)
    return clone


def workflow(clone: Path, name: str = "pages.yml") -> dict:
    """The workflow as GitHub reads it: `on` is a word there, and YAML 1.1 takes it for a truth."""
    return yaml.load((clone / ".github/workflows" / name).read_text("utf-8"), yaml.BaseLoader)


@pytest.mark.nightly
def test_the_site_is_not_committed_and_the_notes_are(clone: Path) -> None:
    assert not (clone / "site").exists()
    assert (clone / "notes_src/site.yaml").is_file()


def published(name: str) -> dict:
    """A schema of SchemaStore, as check-jsonschema brings it along."""
    schema = files("check_jsonschema").joinpath(f"builtin_schemas/vendor/{name}.json")
    return json.loads(schema.read_text("utf-8"))


def mistakes_in(workflow: Path) -> tuple[list[str], dict]:
    """What the schema has against a workflow; and the workflow as YAML 1.1 has it."""
    judge = jsonschema.validators.validator_for(schema := published("github-workflows"))(schema)
    typed = yaml.safe_load(workflow.read_text("utf-8"))
    typed = {"on" if key is True else key: value for key, value in typed.items()}
    return [error.message for error in judge.iter_errors(typed)], typed


@pytest.mark.parametrize("workflow", sorted((PROJECT / ".github/workflows").iterdir()), ids=lambda path: path.name)
def test_our_own_workflows_are_some_by_the_published_schema(workflow: Path) -> None:
    mistakes, typed = mistakes_in(workflow)
    assert mistakes == []
    targets = re.findall(r"^([\w-]+):", (PROJECT / "Makefile").read_text("utf-8"), re.MULTILINE)
    steps = [step["run"] for job in typed["jobs"].values() for step in job["steps"] if "run" in step]
    assert {step.split()[1] for step in steps if step.startswith("make ")} <= set(targets)


@pytest.mark.nightly
def test_the_workflow_is_one_by_the_published_schema(clone: Path) -> None:
    jobs = workflow(clone)
    judge = jsonschema.validators.validator_for(schema := published("github-workflows"))(schema)
    mistakes, typed = mistakes_in(clone / ".github/workflows/pages.yml")
    assert mistakes == []
    typed["jobs"]["build"]["step"] = typed["jobs"]["build"].pop("steps")
    assert list(judge.iter_errors(typed)), "the schema sees mistakes"
    assert jobs["jobs"]["deploy"]["needs"] == "build"


@pytest.mark.nightly
def test_each_step_of_the_workflow_runs_in_a_clone(clone: Path, tmp_path: Path) -> None:
    """With nothing of this repository: the program is in the clone, and only its libraries are here already."""
    told = workflow(clone)
    assert list(told["env"]) == ["PAPER_NOTES"]
    fresh, home = tmp_path / "fresh", tmp_path / "runner"
    home.mkdir()
    settings = {"PIP_TARGET": str(fresh), "PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1"}
    runner = shell_with(fresh, home, **told["env"], **settings)
    assert runner.type("command -v paper-notes", clone).stdout.strip() != str(fresh / "bin/paper-notes")
    steps = [step for step in told["jobs"]["build"]["steps"] if "run" in step]
    install, build = steps
    with (clone / told["env"]["PAPER_NOTES"].partition("[")[0]).open("r+b") as wheel:
        first = wheel.read(1)
        wheel.seek(0)
        wheel.write(b"?")
        wheel.flush()
        assert "FAILED" in runner.type(install["run"], clone).stdout, "another wheel is not installed"
        wheel.seek(0)
        wheel.write(first)
    (configured,) = (step["id"] for step in told["jobs"]["build"]["steps"] if "configure-pages" in step.get("uses", ""))
    for step in (install, build):
        known = {f"${{{{ steps.{configured}.outputs.base_url }}}}": "https://me.github.io/notes"}
        variables = {name: known[value] for name, value in step.get("env", {}).items()}
        Shell({**runner.environment, **variables}).must(step["run"], clone)
    assert runner.must("command -v paper-notes", clone).strip() == str(fresh / "bin/paper-notes")

    uploaded = next(step["with"]["path"] for step in told["jobs"]["build"]["steps"] if "upload" in step.get("uses", ""))
    assert (clone / uploaded / "index.html").is_file()
    assert "<loc>https://me.github.io/notes/papers.html<" in (clone / uploaded / "sitemap.xml").read_text("utf-8")
    assert files_of(clone / "site") == files_of(tmp_path / "notes/site"), "the same bytes as on the owner's machine"
    assert runner.must("git status --porcelain", clone) == "", "and nothing else is written"
    kept = next(
        step["with"]["path"] for step in told["jobs"]["build"]["steps"] if "actions/cache@" in step.get("uses", "")
    )
    assert any(Path(kept.replace("~", str(home))).rglob("cache.sqlite")), (
        "what is remembered is where the cache is kept"
    )


@pytest.mark.nightly
def test_a_pull_request_is_annotated_and_its_pages_are_kept(built_before: Path, shell: Shell) -> None:
    """What GitHub checks out is the merge of the request, whose first parent is the branch."""
    clone = built_before
    assert mistakes_in(clone / ".github/workflows/review.yml")[0] == []
    told = workflow(clone, "review.yml")
    assert (told["on"], told["permissions"]) == ("pull_request", {"contents": "read"})
    assert "secrets." not in (clone / ".github/workflows/review.yml").read_text("utf-8")
    note = next(clone.glob("notes_src/reading/01_*/en.md"))
    note.write_text(note.read_text("utf-8") + "\nA sentence more, and [[#9]].\n", "utf-8")
    shell.must("git commit -qam More", clone)
    install, preview, check = (step["run"] for step in told["jobs"]["review"]["steps"] if "run" in step)
    assert "pip install" in install
    shell.must(preview, clone)
    (path,) = (
        step["with"]["path"] for step in told["jobs"]["review"]["steps"] if "upload-artifact" in step.get("uses", "")
    )
    kept = Path(path.replace("${{ github.workspace }}", str(clone)))
    pages = [str(page.relative_to(kept)) for page in kept.rglob("*.html") if "/notes/" in str(page)]
    assert [page.partition("/notes/")[2][:3] for page in pages] == ["01_"], "the other note is as it was"
    assert "A sentence more" in (kept / pages[0]).read_text("utf-8")
    done = shell.type(check, clone)
    assert done.returncode == 1
    assert f"::error file={note.relative_to(clone)},line=" in done.stdout


def test_our_action_is_one_by_the_published_schema() -> None:
    action = yaml.safe_load((PROJECT / ".github/actions/check/action.yml").read_text("utf-8"))
    judge = jsonschema.validators.validator_for(schema := published("github-actions"))(schema)
    assert [error.message for error in judge.iter_errors(action)] == []
    used = set(re.findall(r"inputs\.(\w+)", json.dumps(action["runs"])))
    assert used == set(action["inputs"])


@pytest.mark.nightly
def test_nothing_is_in_the_way_of_publishing(clone: Path, shell: Shell) -> None:
    said = shell.must("paper-notes doctor", clone)
    assert "0 serious" in said or "All is well." in said
    assert "the workflow installs vendor/paper_notes-" in said
    assert "https://me.github.io/notes/reading/notes/02_" in (clone / "README.md").read_text("utf-8")


@pytest.mark.nightly
def test_the_hook_stops_a_commit_with_mistakes(built_before: Path, shell: Shell) -> None:
    clone = built_before
    config = yaml.safe_load((clone / ".pre-commit-config.yaml").read_text("utf-8"))
    ((hook,),) = [repository["hooks"] for repository in config["repos"]]
    assert {"id", "name", "entry", "language"} <= hook.keys()
    shell.must(hook["entry"], clone)
    note = next(clone.glob("notes_src/reading/*/en.md"))
    note.write_text(note.read_text("utf-8") + "\n[[#9]]\n", "utf-8")
    done = shell.type(hook["entry"], clone)
    assert done.returncode == 1
    assert "dangling-reference" in done.stderr


GH = """\
#!/bin/sh
echo "$@" >> "$HOME/gh.log"
case "$2" in view) cat "$HOME/pr.state" 2>/dev/null;; create) echo OPEN > "$HOME/pr.state";; esac
"""
"""Stands in for GitHub's own program, which the runners have."""


@pytest.mark.nightly
def test_the_papers_of_the_day_become_a_pull_request_that_keeps_what_is_written_there(
    shell: Shell, outside: FakeOutside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    public = InstalledFrom("1.2", "paper-notes @ git+https://example.org/p.git@0a1b")  # else it makes a wheel
    monkeypatch.setattr("paper_notes.features.starting.commands.init.origin", lambda: public)
    assert paper_notes("init", tmp_path / "notes", "--digest").exit_code == 0
    shell.must("git init -qb main && git add -A", tmp_path / "notes")
    shell.must(
        "git commit -qm Begin && git clone -q --bare . ../origin && git clone -q ../origin ../clone", tmp_path / "notes"
    )
    clone, gh = tmp_path / "clone", tmp_path / "home/bin/gh"
    assert mistakes_in(clone / ".github/workflows/digest.yml")[0] == []
    told = workflow(clone, "digest.yml")
    install, branch, fetch, build, propose = (step["run"] for step in told["jobs"]["fetch"]["steps"] if "run" in step)
    assert "pip install" in install
    gh.parent.mkdir()
    gh.write_text(GH)
    gh.chmod(0o755)
    outside.hf.says(daily(daily_paper(7, submittedOnDailyAt=None), daily_paper(3)), daily())
    path = f"{gh.parent}{os.pathsep}{shell.environment['PATH']}"
    runner = Shell({**shell.environment, **told["env"], **outside.environment, "PATH": path})
    for step in (branch, fetch, build, propose):
        runner.must(step, clone)
    assert (tmp_path / "home/gh.log").read_text().splitlines()[-1] == "pr create --fill --head daily-papers"
    shell.must("git fetch -q ../origin daily-papers && git switch -qc mine FETCH_HEAD", tmp_path / "notes")
    (note,) = (tmp_path / "notes/notes_src/daily").glob("01_*/zh.md")
    assert "{#p-2601-00007}" in note.read_text("utf-8")
    assert not (tmp_path / "notes/site").exists()

    note.write_text(note.read_text("utf-8") + "\n我的话。\n", "utf-8")
    shell.must("git commit -qam Mine && git push -q ../origin HEAD:daily-papers", tmp_path / "notes")
    shell.must("git clone -q origin next", tmp_path)
    runner.must(branch, tmp_path / "next")
    assert "Nothing new." in runner.must(propose, tmp_path / "next")
    assert "我的话。" in (tmp_path / "next" / note.relative_to(tmp_path / "notes")).read_text("utf-8")
