// Tells VS Code which program is the debugger; all else is the Debug Adapter Protocol.
const vscode = require("vscode");

exports.activate = (context) => {
  const factory = {
    createDebugAdapterDescriptor(session) {
      const debuggerPath = vscode.workspace.getConfiguration("leno").get("debugger") || "leno-dbg";
      const folder = session.workspaceFolder;
      const options = folder ? { cwd: folder.uri.fsPath } : {};
      return new vscode.DebugAdapterExecutable(debuggerPath, ["--dap"], options);
    },
  };
  const provider = {
    // Starting without a launch.json debugs the file at hand.
    resolveDebugConfiguration(folder, configuration) {
      if (!configuration.type && !configuration.request)
        return { type: "leno", request: "launch", name: "Leno", program: "${file}", block: 32, stopOnEntry: true };
      return configuration;
    },
  };
  context.subscriptions.push(vscode.debug.registerDebugAdapterDescriptorFactory("leno", factory));
  context.subscriptions.push(vscode.debug.registerDebugConfigurationProvider("leno", provider));
};

exports.deactivate = () => {};
