// Starts the language server: `pelican lsp`, for .pel and .kernel files.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = function () {
  const command = workspace.getConfiguration("pelican-rotation").get("command");
  client = new LanguageClient(
    "pelican-rotation",
    { command, args: ["lsp"] },
    { documentSelector: [{ language: "pel" }, { language: "kernel" }] },
  );
  return client.start();
};

exports.deactivate = function () {
  return client && client.stop();
};
