"""The extension for Visual Studio Code: what it starts, and for which files."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest
from running import PROJECT

import paper_notes

FOLDER = PROJECT / "paper_notes/features/lsp/vscode"
STAND_INS = """
const load = require("module")._load;
const seen = {};
const vscode = {
  RelativePattern: class { constructor(base, pattern) { this.pattern = pattern; } },
  workspace: {
    workspaceFolders: [{ uri: { fsPath: "/notes" } }],
    getConfiguration: () => ({ get: (name) => settings[name] }),
    createFileSystemWatcher: (at) => at.pattern,
  },
};
class LanguageClient {
  constructor(id, name, server, options) { Object.assign(seen, { server, files: options.documentSelector }); }
  async start() { seen.started = true; }
  async stop() { seen.stopped = true; }
}
require("module")._load = (name, ...more) =>
  name === "vscode" ? vscode : name.startsWith("vscode-languageclient") ? { LanguageClient } : load(name, ...more);
const folder = process.argv[1];
const { properties } = require(`${folder}/package.json`).contributes.configuration;
const settings = { command: properties["paperNotes.command"].default };
const extension = require(`${folder}/extension.js`);
extension.activate().then(extension.deactivate).then(() => console.log(JSON.stringify(seen)));
"""


def test_it_starts_the_server_in_the_folder_that_is_open() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs Node.js")
    done = subprocess.run([node, "-e", STAND_INS, FOLDER], capture_output=True, encoding="utf-8", check=True)
    assert json.loads(done.stdout) == {
        "server": {"command": "paper-notes", "args": ["lsp"], "options": {"cwd": "/notes"}},
        "files": [{"scheme": "file", "pattern": "**/notes_src/**/*.{md,yaml,bib}"}],
        "started": True,
        "stopped": True,
    }


def test_no_folder_of_notes_can_say_what_is_started() -> None:
    manifest = json.loads((FOLDER / "package.json").read_text("utf-8"))
    assert manifest["contributes"]["configuration"]["properties"]["paperNotes.command"]["scope"] == "machine"
    assert not manifest["capabilities"]["untrustedWorkspaces"]["supported"]
    assert manifest["version"] == paper_notes.__version__
