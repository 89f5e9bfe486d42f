// Starts `paper-notes lsp` for the folder that is open, and lets it speak with Visual Studio Code.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = async () => {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) return;
  const [command, ...args] = vscode.workspace.getConfiguration("paperNotes").get("command");
  const server = { command, args, options: { cwd: folder.uri.fsPath } };
  const inNotes = { scheme: "file", pattern: "**/notes_src/**/*.{md,yaml,bib}" };
  const fileEvents = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, "notes_src/**"));
  const options = { documentSelector: [inNotes], workspaceFolder: folder, synchronize: { fileEvents } };
  client = new LanguageClient("paper-notes", "paper-notes", server, options);
  await client.start();
};

exports.deactivate = () => client?.stop();
