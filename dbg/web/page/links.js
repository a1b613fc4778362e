"use strict";
// Who answers: a debugger, behind a WebSocket or behind the editor whose panel this is, or a recording in the page. All speak the
// objects of leno-dbg --json.

function openLink(recording, listener) {
  if (recording) return new RecordedLink(recording, listener);
  const inEditor = typeof acquireVsCodeApi === "function";
  return new LiveLink(inEditor ? new EditorSocket() : new WebSocket(location.href.replace(/^http/, "ws").replace(/[?#].*$/, "") + "socket"), listener);
}

/// What LiveLink uses of a WebSocket, by the messages of a panel: the editor passes them on. The colours are the editor's.
class EditorSocket {
  constructor() {
    this.readyState = WebSocket.OPEN;
    this.editor = acquireVsCodeApi();
    addEventListener("message", ({ data }) => {
      if (data.line) this.onmessage({ data: data.line });
      if (!data.gone) return;
      this.readyState = WebSocket.CLOSED;
      this.onclose({ reason: data.gone });
    });
    const dress = () => (document.documentElement.dataset.theme = /dark|^vscode-high-contrast$/.test(document.body.dataset.vscodeThemeKind) ? "dark" : "light");
    dress();
    new MutationObserver(dress).observe(document.body, { attributeFilter: ["data-vscode-theme-kind"] });
    this.editor.postMessage({ opened: true });
  }
  send(text) {
    this.editor.postMessage({ text });
  }
}

/// With a debugger. Its answers come in the order of the commands.
class LiveLink {
  constructor(socket, listener) {
    this.listener = listener;
    this.waiting = [];
    this.socket = socket;
    this.socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    this.socket.onclose = (event) => {
      for (const { done } of this.waiting.splice(0)) done({ ok: false, gone: true, text: [] });
      listener.gone(event.reason || "the debugger has ended");
    };
  }
  get isLive() {
    return true;
  }
  receive(line) {
    if (line.type === "answer") this.waiting.shift()?.done(line);
    else this.listener[line.type]?.(line);
  }
  ask(command) {
    const text = command.trim();
    // Neither of these is answered.
    if (!text || text.startsWith("#") || text.includes("\n")) return Promise.resolve({ ok: true, text: [] });
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.resolve({ ok: false, gone: true, text: [] });
    return new Promise((done) => {
      this.waiting.push({ done });
      this.socket.send(text);
    });
  }
  interrupt() {
    this.socket.send("\x03");
  }
}

/// With what was asked beforehand.
class RecordedLink {
  constructor(recording, listener) {
    this.recording = recording;
    this.listener = listener;
    this.now = recording.moments.length - 1;
    this.program = this.byCommand(recording.program);
    setTimeout(() => {
      listener.hello(recording.hello);
      this.arrive();
    });
  }
  get isLive() {
    return false;
  }
  get first() {
    return this.recording.moments[0].stop.tick;
  }
  get last() {
    return this.recording.moments.at(-1).stop.tick;
  }
  byCommand(numbers) {
    return new Map(numbers.map((number) => [this.recording.answers[number].command, this.recording.answers[number]]));
  }
  arrive() {
    const moment = this.recording.moments[this.now];
    this.answers = this.byCommand(moment.answers);
    this.listener.stop(moment.stop);
  }
  async ask(command) {
    const tick = command.match(/^goto tick (\d+)$/);
    const move = { stepi: 1, "reverse-stepi": -1 }[command];
    if (!tick && !move) return this.answers?.get(command) || this.program.get(command) || { ok: false, text: [], errors: [{ message: "the recording does not hold this" }] };
    const wanted = tick ? this.recording.moments.findIndex(({ stop }) => stop.tick >= +tick[1]) : this.now + move;
    if (!this.recording.moments[wanted]) return { ok: false, text: [], errors: [{ message: "the recording has no moment there" }] };
    this.now = wanted;
    this.arrive();
    return { ok: true, text: [] };
  }
  interrupt() {}
}
