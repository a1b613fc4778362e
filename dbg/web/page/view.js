// The view: asks, shows what is answered, and does what hands and keys want.
(() => {
  const recording = JSON.parse(byId("recording").textContent);
  const stopCommands = byId("stopCommands").textContent.trim().split("\n");
  const view = { hello: null, stop: null, last: 0, marks: new Map(), points: [], code: [], sources: new Map(), showsSource: true, file: null, shown: null, answers: new Map() };

  //===--- What happens

  const link = openLink(recording, listener());
  for (const one of document.querySelectorAll("[data-live]")) one.hidden ||= !link.isLive;
  for (const one of document.querySelectorAll("[data-recorded]")) one.hidden ||= link.isLive;

  function listener() {
    return {
      hello(line) {
        view.hello = line;
        const name = line.kernel || (line.contexts || []).map((one) => one.name).join(", ");
        byId("title").textContent = `${name} — Leno warp view`;
        document.title = byId("title").textContent;
        askProgram();
      },
      stop(line) {
        view.stop = line;
        view.last = Math.max(view.last, line.tick);
        const words = { breakpoint: "breakpoint", watchpoint: "watchpoint", catchpoint: "event", bpt: "BPT", trapped: "trap", finished: "end", start: "start" }[line.reason];
        if (words && !(view.marks.get(line.tick)?.words || "").includes(words)) view.marks.set(line.tick, { kind: line.reason, words: words + (line.at ? ` at ${line.at.label}` : "") });
        tellStop();
        refresh();
      },
      changed() {
        refresh();
      },
      bye() {},
      failure(line) {
        say(line.message, true);
      },
      gone(why) {
        say(why, true);
        for (const one of document.querySelectorAll("#controls button:not(#theme), #mark, #tick")) one.disabled = true;
      },
    };
  }

  function say(text, isError = false) {
    byId("status").textContent = text;
    byId("status").classList.toggle("error", isError);
  }
  function tellStop() {
    const { reason, cta, warp, active, at, tick, trap, context } = view.stop;
    const where = (context ? `context ${context}, ` : "") + (cta ? `cta (${cta}) warp ${warp}, lanes ${rangesOfMask(Number(active))}, at ${at.label}: ${at.instruction}` : "no warp in focus");
    say(`${trap ? trap.message : reason.replace(/-/g, " ")}: ${where}`, !!trap);
    const slider = byId("tick");
    if (!link.isLive) {
      slider.min = link.first;
      view.last = link.last;
    }
    slider.max = view.last;
    if (wanted === null) slider.value = tick;
    byId("tickText").textContent = `tick ${tick} of ${view.last}`;
    slider.setAttribute("aria-valuetext", `tick ${tick} of ${view.last}`);
  }

  async function askProgram() {
    view.kernel = view.hello.kernel;
    await readProgram(view.kernel);
    refresh();
  }
  /// With several contexts: of the one in focus.
  async function followProgram() {
    const kernel = dataOf(answerOf("kernel"), "kernel")?.kernel;
    if (view.hello.kernel || !kernel || kernel === view.kernel) return;
    view.kernel = kernel;
    await readProgram(kernel);
  }
  async function readProgram(kernel) {
    view.code = await ask(kernel ? `disassemble ${kernel}` : "disassemble");
    if (!view.code.ok) view.code = await ask("disassemble"); // all that a recording has
    const files = view.hello.sources || [...new Set((dataOf(view.code, "instructions")?.instructions || []).map((one) => one.file).filter(Boolean))];
    for (const file of files) {
      const answer = await ask(`list ${/ /.test(file) ? `"${file}"` : file}:1,100000`);
      const lines = dataOf(answer, "lines");
      if (lines) view.sources.set(file, lines.lines);
    }
    show("file", ...[...view.sources.keys()].map((file) => element("option", { value: file }, file.split("/").at(-1))));
    byId("fileLabel").hidden = view.sources.size < 2;
    view.file = files.find((file) => view.sources.has(file)) || [...view.sources.keys()][0];
    view.showsSource = view.sources.size > 0;
  }

  //===--- Asking

  let running = 0;
  async function ask(command) {
    byId("interrupt").disabled = ++running === 0;
    document.body.setAttribute("aria-busy", "true");
    const answer = await link.ask(command);
    if (--running === 0) {
      byId("interrupt").disabled = true;
      document.body.removeAttribute("aria-busy");
    }
    return answer;
  }
  /// What a hand or a key wants: its mistakes are told.
  async function command(text) {
    if (/^(run|continue)$/.test(text)) say("running …");
    const answer = await ask(text);
    if (!answer.ok && !answer.gone) say(wordsOf(answer), true);
    return answer;
  }

  let refreshing = false;
  let again = false;
  /// Asks for all that is shown; what stops meanwhile is shown after it.
  async function refresh() {
    if (refreshing) {
      again = true;
      return;
    }
    refreshing = true;
    do {
      again = false;
      for (const text of stopCommands) {
        view.answers.set(text, await ask(text));
        if (again) break;
      }
      if (!again && view.hello) await followProgram();
      if (!again) draw();
    } while (again);
    refreshing = false;
    document.body.dataset.shown = view.stop ? view.stop.tick : "none";
  }

  //===--- Showing

  const answerOf = (text) => view.answers.get(text) || { ok: false, text: [] };
  function draw() {
    view.points = dataOf(answerOf("info breakpoints"), "breakpoints")?.breakpoints || [];
    drawCodePanel();
    drawMarks();
    if (!view.stop || !view.hello) return;
    const warp = JSON.stringify([view.stop.cta, view.stop.warp, view.stop.context]);
    const table = answerOf("info table/x");
    const before = view.shown?.warp === warp ? view.shown.columns : null;
    drawLanes(table, answerOf("info lanes"), view.stop.lane, before, link.isLive ? (lane) => command(`lane ${lane}`).then(chosen) : null);
    const columns = new Map((dataOf(table, "lanes")?.columns || []).map((column) => [column.expression, column.lanes]));
    if (view.shown?.tick !== view.stop.tick) view.shown = { warp, columns, tick: view.stop.tick };
    drawStack(answerOf("info stack"));
    drawWarps(answerOf("info warps"), gridNow(), link.isLive ? choose : null);
    drawCtas(answerOf("info ctas"), gridNow());
    drawSms(answerOf("info sms"), link.isLive && view.hello.contexts ? chooseContext : null);
    byId("contexts").hidden = !view.hello.contexts;
    if (view.hello.contexts) drawContexts(answerOf("info contexts"), link.isLive ? chooseContext : null);
    drawCaches(answerOf("info caches"), answerOf("info constants"));
    drawLines();
  }
  const gridNow = () => dataOf(answerOf("kernel"), "kernel")?.grid || view.hello.grid;
  /// What has changed is marked until another moment or another part is shown.
  function drawLines() {
    const answer = answerOf("info cache");
    const { name, shown } = dataOf(answer, "cache") || {};
    const part = JSON.stringify([name, shown, view.stop.context]);
    if (view.lines?.part !== part) view.lines = { part, tick: view.stop.tick };
    else if (view.lines.tick !== view.stop.tick) view.lines = { part, tick: view.stop.tick, before: view.lines.cells };
    view.lines.cells = drawCacheLines(answer, view.lines.before);
  }
  async function chooseLines(what) {
    if ((await command(`info cache ${what}`)).ok) refresh();
  }
  async function chooseContext(name) {
    if (!(await command(`context ${name}`)).ok) return;
    view.stop.context = name;
    const focus = await ask("focus");
    if (focus.ok) return chosen(focus);
    Object.assign(view.stop, { cta: null, warp: null, at: null, reason: "in focus" });
    tellStop();
    refresh();
  }
  async function choose(cta, warp) {
    if ((await command(`cta ${cta}`)).ok) chosen(await command(`warp ${warp}`));
  }
  /// The focus moved: the machine did not.
  function chosen(answer) {
    const focus = dataOf(answer, "focus");
    if (!focus) return;
    Object.assign(view.stop, { cta: focus.cta, warp: focus.warp, lane: focus.lane, at: focus.at, reason: "in focus" });
    tellFocus();
    refresh();
  }
  async function tellFocus() {
    const active = dataOf(await ask("info table/x"), "lanes")?.active;
    if (active) view.stop.active = active;
    tellStop();
  }

  const pointAt = (fits) => view.points.find((point) => (point.places || []).some(fits))?.number;
  function drawCodePanel() {
    const at = view.stop?.at;
    byId("showSource").setAttribute("aria-pressed", view.showsSource);
    byId("showCode").setAttribute("aria-pressed", !view.showsSource);
    const toggle = link.isLive ? togglePoint : null;
    const instructions = dataOf(view.code, "instructions")?.instructions || [];
    if (view.showsSource && view.sources.size) {
      if (at?.file && view.sources.has(at.file) && at !== view.followed) view.file = at.file;
      view.followed = at;
      byId("file").value = view.file;
      const lines = new Set(instructions.filter((one) => one.file === view.file).map((one) => one.line));
      return drawCode(
        view.file,
        view.sources.get(view.file).map(({ line, source }) => ({
          key: `line-${line}`,
          number: String(line),
          text: source,
          name: `line ${line}`,
          at: lines.has(line) ? `${view.file}:${line}` : "",
          here: at?.file === view.file && at.line === line,
          point: pointAt((place) => place.file === view.file && place.line === line),
        })),
        toggle,
      );
    }
    drawCode(
      "Disassembly",
      instructions.map(({ pc, label, instruction }) => ({
        key: `pc-${pc}`,
        number: `${pc} ${label}`,
        text: instruction,
        name: pc,
        at: `*${pc}`,
        here: at?.pc === pc,
        point: pointAt((place) => place.pc === pc),
      })),
      toggle,
    );
  }
  async function togglePoint(row) {
    const answer = await command(row.point === undefined ? `break ${row.at}` : `delete ${row.point}`);
    if (answer.ok) say(row.point === undefined ? answer.text[0] : `Breakpoint ${row.point} is gone`);
    await refresh();
    byId(row.key)?.querySelector("button").focus();
  }

  function drawMarks() {
    const bookmarks = dataOf(answerOf("info bookmarks"), "bookmarks")?.bookmarks || [];
    const all = [...[...view.marks].map(([tick, mark]) => ({ tick, ...mark })), ...bookmarks.map((one) => ({ tick: one.tick, kind: "bookmark", words: `bookmark ${one.name || one.number}` }))];
    const first = +byId("tick").min;
    const inside = all.filter(({ tick }) => tick >= first && tick <= view.last).sort((a, b) => a.tick - b.tick);
    const colours = { bookmark: "var(--link)", breakpoint: "var(--changed)", trapped: "var(--changed)" };
    byId("marks").replaceChildren(
      ...inside.map(({ tick, kind }) => {
        const line = document.createElementNS("http://www.w3.org/2000/svg", "rect");
        for (const [name, value] of Object.entries({ x: (990 * (tick - first)) / Math.max(1, view.last - first) + 3, y: 0, width: 4, height: 10, fill: colours[kind] || "var(--faint)" })) line.setAttribute(name, value);
        return line;
      }),
    );
    byId("marksTitle").textContent = `Marks (${inside.length})`;
    show(
      "markList",
      ...inside.map(({ tick, words }) => {
        const button = element("button", { type: "button" }, `${tick}: ${words}`);
        button.addEventListener("click", () => goTo(tick));
        return element("li", {}, button);
      }),
    );
  }

  //===--- Hands and keys

  let wanted = null;
  let moving = false;
  /// The last wish counts: those between are left out.
  async function goTo(tick) {
    wanted = tick;
    byId("tickText").textContent = `tick ${tick} of ${view.last}`;
    if (moving) return;
    moving = true;
    while (wanted !== null) {
      const target = wanted;
      if (!(await command(`goto tick ${target}`)).ok || wanted === target) wanted = null;
    }
    moving = false;
    if (view.stop) tellStop();
  }
  byId("tick").addEventListener("input", (event) => goTo(+event.target.value));
  for (const button of document.querySelectorAll("[data-command]")) button.addEventListener("click", () => command(button.dataset.command));
  byId("interrupt").addEventListener("click", () => link.interrupt());
  byId("mark").addEventListener("click", async () => {
    if ((await command("bookmark")).ok) refresh();
  });
  byId("showSource").addEventListener("click", () => {
    view.showsSource = true;
    drawCodePanel();
  });
  byId("showCode").addEventListener("click", () => {
    view.showsSource = false;
    drawCodePanel();
  });
  byId("file").addEventListener("change", (event) => {
    view.file = event.target.value;
    drawCodePanel();
  });
  byId("cache").addEventListener("change", (event) => chooseLines(event.target.value));
  for (const way of ["before", "next"])
    byId(way === "next" ? "cacheNext" : "cacheBefore").addEventListener("click", () => {
      const facts = dataOf(answerOf("info cache"), "cache");
      chooseLines(`${facts.name} ${facts[way]}`);
    });
  byId("columnsForm").addEventListener("submit", async (event) => {
    event.preventDefault();
    if ((await command(`info table/x ${byId("columns").value}`)).ok) refresh();
  });
  byId("evaluateForm").addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = byId("expression").value.trim();
    if (!text) return;
    const whole = byId("evaluateKind").value === "print" ? `print ${text}` : text;
    const answer = await ask(whole);
    byId("log").textContent += `> ${text}\n${wordsOf(answer)}\n`;
    byId("log").scrollTop = byId("log").scrollHeight;
    byId("expression").select();
    refresh();
  });

  let timer = null;
  function play(on) {
    clearInterval(timer);
    timer = on ? setInterval(async () => (await link.ask("stepi")).ok || play(false), 250) : null;
    byId("play").setAttribute("aria-pressed", String(on));
  }
  byId("play").addEventListener("click", () => {
    if (!timer && link.now === recording.moments.length - 1) goTo(link.first);
    play(!timer);
  });

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
  const redraw = () => {
    byId("theme").setAttribute("aria-pressed", String(isDark()));
    if (view.stop) drawCtas(answerOf("info ctas"), gridNow()); // what is painted does not follow by itself
  };
  dark.addEventListener("change", redraw);
  byId("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  });
  new MutationObserver(redraw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  redraw();
  drawLegend();

  const keys = new Map();
  for (const button of document.querySelectorAll("[data-key]")) {
    button.setAttribute("aria-keyshortcuts", button.dataset.key);
    button.title ||= `${button.textContent} (${button.dataset.key})`;
    if (!button.hidden) keys.set(button.dataset.key, button);
  }
  show("keyList", ...[...keys].flatMap(([key, button]) => [element("dt", {}, key), element("dd", {}, button.textContent)]), ...(link.isLive ? [element("dt", {}, "/"), element("dd", {}, "Evaluate")] : []), element("dt", {}, "← →"), element("dd", {}, "on the time axis: one tick"));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input:not([type=range]), select, textarea")) return;
    if (event.key === "/" && link.isLive) {
      event.preventDefault();
      byId("expression").focus();
    } else if (keys.has(event.key)) {
      event.preventDefault();
      keys.get(event.key).click();
    }
  });
})();
