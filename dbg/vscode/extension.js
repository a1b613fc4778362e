// Tells VS Code which program is the debugger, and shows its warp view; all else is the Debug Adapter Protocol.
const fs = require("fs");
const os = require("os");
const path = require("path");
const vscode = require("vscode");
const warps = require("./warps");

function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/// The program that the setting names, by its path or in the PATH; undefined: there is none.
function findDebugger(name, folder) {
  const home = folder ? folder.uri.fsPath : "";
  const expanded = name.replace("${workspaceFolder}", home).replace(/^~(?=\/)/, os.homedir());
  if (expanded.includes("/")) {
    const file = path.resolve(home, expanded);
    return isProgram(file) ? file : undefined;
  }
  const folders = (process.env.PATH || "").split(path.delimiter).filter(Boolean);
  return folders.map((one) => path.join(one, expanded)).find(isProgram);
}

function settingOf(folder) {
  return vscode.workspace.getConfiguration("leno", folder && folder.uri).get("debugger") || "leno-dbg";
}

async function tellMissing(folder) {
  const name = settingOf(folder);
  const where = name.includes("/") ? "" : " in the PATH";
  const action = "Open Settings";
  const chosen = await vscode.window.showErrorMessage(
    `The setting leno.debugger names '${name}', and there is no such program${where}. Give it the path of leno-dbg.`,
    action,
  );
  if (chosen === action) await vscode.commands.executeCommand("workbench.action.openSettings", "leno.debugger");
}

exports.activate = (context) => {
  const factory = {
    createDebugAdapterDescriptor(session) {
      const folder = session.workspaceFolder;
      const options = folder ? { cwd: folder.uri.fsPath } : {};
      return new vscode.DebugAdapterExecutable(findDebugger(settingOf(folder), folder) || settingOf(folder), ["--dap"], options);
    },
  };
  const provider = {
    resolveDebugConfiguration(folder, configuration) {
      // `debugServer` names a debugger that runs already.
      if (!configuration.debugServer && !findDebugger(settingOf(folder), folder)) {
        tellMissing(folder);
        return undefined;
      }
      // Starting without a launch.json debugs the file at hand; what else VS Code has set, such as `noDebug`, stays.
      if (!configuration.type && !configuration.request)
        return { ...configuration, type: "leno", request: "launch", name: "Leno", program: "${file}", block: 32, stopOnEntry: true };
      return configuration;
    },
  };
  context.subscriptions.push(vscode.debug.registerDebugAdapterDescriptorFactory("leno", factory));
  context.subscriptions.push(vscode.debug.registerDebugConfigurationProvider("leno", provider));
  warps.register(context);
};

exports.deactivate = () => {};
