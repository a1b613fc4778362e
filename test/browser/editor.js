// VS Code in a browser, driven as a person would: starts code-server with Leno's two extensions, and Chromium, and gives a test what
// hands and eyes do. Nothing here sleeps for a fixed time: each step waits until the editor shows what it is to show.
//   node TEST.js EDITOR LENO-DBG SOURCES OUTPUT
// EDITOR is the folder that prepare printed, SOURCES the root of the tree, OUTPUT a folder for screenshots and the editor's files.
const childProcess = require("child_process");
const fs = require("fs");
const path = require("path");

const [, , editorFolder, debuggerPath, sources, output] = process.argv;
const { chromium } = require(path.join(editorFolder, "node_modules/playwright-core"));
const patience = 1000 * (process.env.LENO_TEST_PATIENCE || 180); // a machine may be slow and have other work

exports.debuggerPath = debuggerPath;
exports.check = (condition, ...words) => {
  if (!condition) throw new Error(["not as expected:", ...words.map((w) => (typeof w === "string" ? w : JSON.stringify(w)))].join(" "));
};

/// Resolves to the first match of `pattern` in what a process writes.
function waitForOutput(child, pattern, log) {
  return new Promise((resolve, reject) => {
    let text = "";
    const timer = setTimeout(() => reject(new Error("code-server does not start:\n" + text)), patience);
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (data) => {
        log.write(data);
        text += data;
        const found = text.match(pattern);
        if (found) {
          clearTimeout(timer);
          resolve(found);
        }
      });
    child.on("exit", (status) => reject(new Error("code-server ended with " + status + ":\n" + text)));
  });
}

async function startServer(folder, workspace, settings) {
  const user = path.join(folder, "user");
  const extensions = path.join(folder, "extensions");
  fs.mkdirSync(path.join(user, "User"), { recursive: true });
  fs.cpSync(path.join(sources, "dbg/vscode"), path.join(extensions, "leno-debug"), { recursive: true });
  fs.cpSync(path.join(sources, "isa/editors/vscode"), path.join(extensions, "leno-assembly"), { recursive: true });
  const quiet = {
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "extensions.autoUpdate": false,
    "extensions.autoCheckUpdates": false,
    "extensions.ignoreRecommendations": true,
    "workbench.startupEditor": "none",
    "workbench.enableExperiments": false,
    "workbench.reduceMotion": "on",
    "security.workspace.trust.enabled": false,
    "git.enabled": false,
    "remote.autoForwardPorts": false, // other programs of the machine are not its business
    "editor.minimap.enabled": false,
    "chat.commandCenter.enabled": false,
  };
  fs.writeFileSync(path.join(user, "User/settings.json"), JSON.stringify({ ...quiet, "leno.debugger": path.join(folder, "leno-dbg"), ...settings }));
  fs.writeFileSync(path.join(folder, "config.yaml"), "");
  // What is asked of the debugger is kept, for tests that wait for it.
  fs.writeFileSync(
    path.join(folder, "leno-dbg"),
    `#!/bin/sh\ntee -a '${folder}/requests' | '${path.resolve(debuggerPath)}' "$@"\n`,
    { mode: 0o755 },
  );
  const log = fs.createWriteStream(path.join(folder, "code-server.log"));
  const child = childProcess.spawn(
    path.join(editorFolder, "node"),
    [
      path.join(editorFolder, "node_modules/code-server/out/node/entry.js"),
      ...["--bind-addr", "127.0.0.1:0", "--auth", "none", "--config", path.join(folder, "config.yaml")],
      ...["--user-data-dir", user, "--extensions-dir", extensions, "--session-socket", path.join(folder, "session")],
      ...["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust", "--disable-getting-started-override"],
      workspace,
    ],
    // Its extension gallery is nowhere: nothing is fetched. A group of its own ends with all its children.
    { env: { ...process.env, HOME: folder, EXTENSIONS_GALLERY: '{"serviceUrl": "http://127.0.0.1:9"}' }, stdio: ["ignore", "pipe", "pipe"], detached: true },
  );
  const stop = () => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  };
  process.on("exit", stop);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));
  const [, address] = await waitForOutput(child, /HTTP server listening on (http:\/\/127\.0\.0\.1:\d+)/, log);
  return { address, stop };
}

/// What a person does with the editor's page.
class Editor {
  constructor(page, folder) {
    this.page = page;
    this.folder = folder;
    this.shots = 0;
  }

  /// All that the editor has asked the debugger.
  asked() {
    const log = path.join(this.folder, "requests");
    return fs.existsSync(log) ? fs.readFileSync(log, "utf8") : "";
  }

  /// Waits until the editor has asked the debugger something that `pattern` fits, in what `act` leads to.
  async asks(pattern, act) {
    const before = this.asked().length;
    await act();
    await this.until(`a request like ${pattern}`, () => pattern.test(this.asked().slice(before)));
  }

  /// Keeps what a person would see now.
  async shoot(name) {
    const number = String(++this.shots).padStart(2, "0");
    await this.page.screenshot({ path: path.join(this.folder, `${number}-${name}.png`) });
  }

  /// Waits until `see`, asked again and again, gives something true, and returns that.
  async until(what, see) {
    const end = Date.now() + patience;
    for (;;) {
      let seen, mistake;
      try {
        seen = await see();
      } catch (error) {
        mistake = error; // what it looks at may just be drawn anew
      }
      if (seen) return seen;
      if (Date.now() > end) throw new Error(`waited in vain for ${what}` + (mistake ? ": " + mistake.message : ""));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async texts(selector) {
    return (await this.page.locator(selector).allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
  }

  async open(file) {
    await this.page.locator(`.explorer-folders-view .monaco-list-row[aria-label^="${file}"]`).dblclick();
    await this.page.locator(`.tab.active[data-resource-name="${file}"]`).waitFor();
    await this.page.locator(".monaco-editor .view-line").first().waitFor();
    await this.marginReady(1);
    await this.page.mouse.move(5, 5);
  }

  /// Moves the mouse to where a click sets a breakpoint, until the pale dot there tells that the editor knows its debuggers.
  async marginReady(line) {
    const number = await this.marginOf(line);
    const margin = await this.page.locator(".editor-instance .margin").first().boundingBox();
    const at = { x: margin.x + 9, y: number.y + number.height / 2 };
    const seen = this.page.locator('.editor-instance .glyph-margin-widgets [class*="codicon-debug"]');
    await this.until("the hint of a breakpoint", async () => {
      await this.page.mouse.move(at.x + 200, at.y);
      await this.page.mouse.move(at.x, at.y);
      return (await seen.count()) > 0;
    });
    return at;
  }

  /// The part of the editor's margin beside a line.
  async marginOf(line) {
    const number = this.page.locator(".editor-instance .margin-view-overlays .line-numbers", { hasText: new RegExp(`^${line}$`) });
    return this.until(`line ${line}`, () => number.boundingBox());
  }

  dots() {
    return this.page.locator('.editor-instance .glyph-margin-widgets [class*="codicon-debug-breakpoint"], .editor-instance .glyph-margin-widgets [class*="codicon-debug-stackframe-dot"]');
  }

  /// The lines that have a breakpoint's dot.
  async breakpointLines() {
    const lines = [];
    for (const dot of await this.dots().all()) lines.push(await this.lineBeside(await dot.boundingBox()));
    return lines.sort((a, b) => a - b);
  }

  async waitForBreakpoints(...lines) {
    await this.until(`breakpoints at ${lines}`, async () => String(await this.breakpointLines()) === String(lines));
  }

  /// Sets a breakpoint, or takes it away.
  async clickBreakpoint(line) {
    const dots = this.dots();
    const count = await dots.count();
    const { x, y } = await this.marginReady(line);
    await this.page.mouse.click(x, y);
    await this.until("a change of the breakpoints", async () => (await dots.count()) !== count);
  }

  async key(name) {
    await this.page.keyboard.press(name);
  }

  /// The line that the yellow arrow is at, 0 when there is none.
  async stoppedLine() {
    return this.lineBeside(await this.page.locator(".editor-instance .codicon-debug-stackframe").first().boundingBox({ timeout: 1000 }));
  }

  async lineBeside(mark) {
    const numbers = this.page.locator(".editor-instance .margin-view-overlays .line-numbers");
    for (let i = 0; i < (await numbers.count()); ++i) {
      const box = await numbers.nth(i).boundingBox();
      if (Math.abs(box.y + box.height / 2 - mark.y - mark.height / 2) < box.height / 2) return Number(await numbers.nth(i).innerText());
    }
    return 0;
  }

  async waitForLine(line) {
    await this.until(`a stop at line ${line}`, async () => (await this.stoppedLine()) === line);
  }

  /// The rows of a view of the debugger's side bar: "call-stack", "variables", "breakpoints", "watch-expressions".
  rows(view) {
    return this.texts(`.debug-${view} .monaco-list-row`);
  }

  async waitForRow(view, pattern) {
    return this.until(`${pattern} in ${view}`, async () => (await this.rows(view)).find((row) => pattern.test(row)));
  }

  async clickRow(view, pattern) {
    await this.waitForRow(view, pattern);
    const rows = this.page.locator(`.debug-${view} .monaco-list-row`);
    await rows.nth((await this.rows(view)).findIndex((row) => pattern.test(row))).click();
  }

  /// Chooses from the menu of a row.
  async choose(view, pattern, title) {
    await this.waitForRow(view, pattern);
    const rows = this.page.locator(`.debug-${view} .monaco-list-row`);
    await rows.nth((await this.rows(view)).findIndex((row) => pattern.test(row))).click({ button: "right" });
    // By the key: a fresh menu takes no click for a moment.
    await this.page.locator(".monaco-menu .action-menu-item", { hasText: title }).first().hover();
    await this.key("Enter");
  }

  async press(button) {
    await this.page.locator(`.debug-toolbar .codicon-debug-${button}`).click();
  }

  async waitForEnd() {
    await this.until("the session's end", async () => (await this.page.locator(".debug-toolbar:visible").count()) === 0);
  }

  async command(title) {
    await this.key("F1");
    await this.page.locator(".quick-input-widget input").fill(">" + title);
    const row = this.page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first();
    await row.waitFor();
    await row.click();
  }

  /// Holds the mouse over a word of the editor.
  async hover(word) {
    await this.page.mouse.move(5, 5);
    const at = await this.page.evaluate((wanted) => {
      for (const line of document.querySelectorAll(".editor-instance .view-lines .view-line")) {
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const index = node.data.indexOf(wanted);
          if (index < 0) continue;
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + wanted.length);
          const box = range.getBoundingClientRect();
          return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
        }
      }
      return null;
    }, word);
    exports.check(at, "no such word is shown:", word);
    await this.page.mouse.move(at.x - 2, at.y);
    await this.page.mouse.move(at.x, at.y);
  }

  /// Messages that popped up since the start, whether or not they are still there.
  toasts() {
    return this.page.evaluate(() => window.seenToasts);
  }

  /// Types a line into the debug console.
  async type(line) {
    await this.page.locator(".repl-input-wrapper .view-lines").click();
    await this.page.keyboard.type(line);
    await this.key("Enter");
  }

  /// Text of the debug console.
  async consoleText() {
    return (await this.texts(".repl .monaco-list-row")).join("\n");
  }
}

/// Runs `body` with an editor on a folder that holds `files`: name to text. Any toast that `expected` does not fit fails.
exports.run = async ({ files, settings = {}, expected = null }, body) => {
  const folder = path.resolve(output);
  fs.rmSync(folder, { recursive: true, force: true });
  const workspace = path.join(folder, "work");
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
    fs.writeFileSync(path.join(workspace, name), text);
  }
  let server, browser, editor;
  try {
    server = await startServer(folder, workspace, settings);
    browser = await chromium.launch({
      executablePath: "/usr/bin/chromium",
      args: [...(process.getuid() === 0 ? ["--no-sandbox"] : []), "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
      timeout: patience,
    });
    const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
    page.setDefaultTimeout(patience);
    await page.addInitScript(() => {
      window.seenToasts = [];
      new MutationObserver(() => {
        for (const toast of document.querySelectorAll(".notification-toast .notification-list-item-message, .monaco-dialog-box .dialog-message-text")) {
          const text = toast.innerText.trim();
          if (text && !window.seenToasts.includes(text)) window.seenToasts.push(text);
        }
      }).observe(document, { childList: true, subtree: true, characterData: true });
    });
    await page.goto(server.address + "/?folder=" + encodeURIComponent(workspace));
    await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
    editor = new Editor(page, folder);
    await body(editor);
    const toasts = await editor.toasts();
    exports.check(expected ? toasts.length > 0 && toasts.every((text) => expected.test(text)) : toasts.length === 0, "toasts:", toasts);
  } catch (error) {
    if (editor) {
      await editor.shoot("failed").catch(() => {});
      console.error("toasts:", await editor.toasts().catch(() => "not to be had"));
      console.error("call stack:", await editor.rows("call-stack").catch(() => "not to be had"));
    }
    console.error(error);
    process.exitCode = 1;
  } finally {
    if (browser) await browser.close().catch(() => {});
    if (server) server.stop();
  }
  process.exit();
};
