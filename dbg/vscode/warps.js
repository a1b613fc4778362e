// The warp view as a panel: the debugger's own page. What it asks goes to the debug adapter, and what that says comes back; there is
// no port. The panel follows the debug session in focus, and stays with its last moment when that ends.
const vscode = require("vscode");

let panel; // one for all sessions
let session; // whose page is in it
const begun = new Set(); // sessions that can be asked

const passOn = (message) => panel && panel.webview.postMessage(message);

/// A line that the page waits for, where the debugger has given none.
const answerOf = (command, error) => JSON.stringify({ type: "answer", command, ok: false, text: [], errors: [{ message: error.message }] });

async function receive({ opened, text }) {
  const asked = session;
  if (!asked) return;
  try {
    if (opened) await asked.customRequest("leno.warpHello");
    else if (text === "\x03") await asked.customRequest("pause", { threadId: 1 });
    else await asked.customRequest("leno.warpCommand", { command: text });
  } catch (error) {
    if (text && text !== "\x03" && asked === session) passOn({ line: answerOf(text, error) });
  }
}

async function show(wanted) {
  const { page } = await wanted.customRequest("leno.warpPage");
  if (!panel) {
    const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    panel = vscode.window.createWebviewPanel("leno.warps", "Leno: warps", beside, { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [] });
    panel.webview.onDidReceiveMessage(receive);
    panel.onDidDispose(() => (panel = session = undefined));
  }
  session = wanted;
  panel.webview.html = page;
}

const follow = (wanted) => {
  if (panel && wanted && wanted !== session && begun.has(wanted)) show(wanted).then(undefined, () => {}); // it may just have ended
};

exports.register = (context) => {
  const tracker = {
    createDebugAdapterTracker: (of) => ({
      onDidSendMessage(message) {
        if (message.event === "leno.warpLine" && of === session) passOn({ line: message.body.line });
        if (message.event !== "initialized") return;
        begun.add(of);
        follow(of);
      },
    }),
  };
  const open = async () => {
    const active = vscode.debug.activeDebugSession;
    if (!active || !begun.has(active)) return vscode.window.showInformationMessage("The warp view needs a Leno kernel that is being debugged: F5 starts one.");
    if (active === session) panel.reveal();
    else await show(active);
  };
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterTrackerFactory("leno", tracker),
    vscode.commands.registerCommand("leno.showWarps", open),
    vscode.debug.onDidChangeActiveDebugSession(follow),
    vscode.debug.onDidTerminateDebugSession((ended) => {
      begun.delete(ended);
      if (ended !== session) return;
      session = undefined;
      passOn({ gone: "the debug session has ended" });
    }),
    { dispose: () => panel && panel.dispose() },
  );
};
