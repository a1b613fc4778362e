// What is seen of answers. Nothing here asks; a click calls what view.js gives.

function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties))
    if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  made.append(...children);
  return made;
}
const byId = (id) => document.getElementById(id);
const laneNumbers = Array.from({ length: 32 }, (_, lane) => lane);
const dataOf = (answer, kind) => (answer.data || []).find((one) => one.kind === kind);

/// "0-7,16" as a mask.
function maskOfRanges(text) {
  let mask = 0;
  for (const [, first, last] of text.matchAll(/(\d+)(?:-(\d+))?/g)) for (let lane = +first; lane <= +(last ?? first); ++lane) mask |= 1 << lane;
  return mask >>> 0;
}
function rangesOfMask(mask) {
  const parts = [];
  for (let lane = 0; lane < 32; ++lane) {
    if (!((mask >>> lane) & 1)) continue;
    const first = lane;
    while (lane < 31 && (mask >>> (lane + 1)) & 1) ++lane;
    parts.push(first === lane ? `${first}` : `${first}-${lane}`);
  }
  return parts.join(",") || "none";
}
function drawMask(mask, waiting = 0) {
  const label = `lanes ${rangesOfMask(mask)}` + (waiting ? `; waiting ${rangesOfMask(waiting)}` : "");
  return element("span", { className: "mask", role: "img", "aria-label": label, title: label }, ...laneNumbers.map((lane) => element("i", { className: (waiting >>> lane) & 1 ? "on waits" : (mask >>> lane) & 1 ? "on" : "" })));
}

/// A table of the answer as it is, or the words instead.
function plainTable(caption, [header, ...rows], cell = (text) => text) {
  return element(
    "table",
    {},
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...header.map((text) => element("th", { scope: "col" }, text.trim() || "Focus")))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((text, i) => element(i ? "td" : "th", i ? {} : { scope: "row" }, cell(text, header[i], row)))))),
  );
}
const wordsOf = (answer) => (answer.errors ? answer.errors.map((one) => one.message) : answer.text).join("\n");
function show(id, ...children) {
  byId(id).replaceChildren(...children);
}
function showWords(id, answer) {
  show(id, element("p", { className: "note" }, wordsOf(answer)));
}

//===--- Code

/// rows: { key, cells: [number, text], at: what a breakpoint is set at, here, point: a breakpoint's number }
function drawCode(caption, rows, toggle) {
  const table = element("table", { className: "code" }, element("caption", {}, caption));
  table.append(element("thead", {}, element("tr", {}, ...["Stop", "Place", "Text"].map((text) => element("th", { scope: "col" }, text)))));
  const body = element("tbody");
  for (const row of rows) {
    const button = element("button", { type: "button", "aria-pressed": String(row.point !== undefined), title: row.point === undefined ? `Stop at ${row.name}` : `Breakpoint ${row.point}` }, row.at ? "●" : "");
    button.setAttribute("aria-label", `breakpoint at ${row.name}`);
    button.disabled = !row.at || !toggle;
    if (toggle) button.addEventListener("click", () => toggle(row));
    const line = element("tr", { className: row.here ? "here" : "", id: row.key }, element("td", { className: "point" }, button), element("th", { className: "number", scope: "row" }, row.number), element("td", {}, row.text));
    if (row.here) line.setAttribute("aria-current", "step");
    body.append(line);
  }
  table.append(body);
  show("codeScroll", table);
  const here = table.querySelector(".here");
  const box = byId("codeScroll");
  if (here && (here.offsetTop < box.scrollTop || here.offsetTop + here.offsetHeight > box.scrollTop + box.clientHeight)) box.scrollTop = here.offsetTop - box.clientHeight / 3;
}

//===--- Lanes

const stateClasses = { active: ["active", "A"], inactive: ["inactive", "I"], waiting: ["waiting", "W"], exited: ["exited", "X"], "no thread": ["none", "-"] };
function classOfState(state, reason) {
  if (/trap/.test(reason)) return ["trapped", "T"];
  if (/barrier/.test(reason)) return ["barrier", "B"];
  return stateClasses[state] || ["none", "?"];
}
/// Short, as the column has room: without the zeros that stand before.
function shortText(text, isPredicate) {
  if (text === null) return "–";
  if (isPredicate) return String(+!!Number(text));
  return /^0x[0-9a-f]{8}$/.test(text) ? text.slice(2).replace(/^0+(?=.)/, "") : text;
}
/// `before`: what was shown of the same warp before, by expression.
function drawLanes(table, lanes, focused, before, chooseLane) {
  const found = dataOf(table, "lanes");
  if (!found) return showWords("lanesScroll", table);
  const rows = lanes.tables?.[0].slice(1) || [];
  const active = Number(found.active);
  const head = element("tr", {}, element("th", { scope: "col" }, "Lane"));
  for (const lane of laneNumbers) {
    const button = element("button", { type: "button", "aria-pressed": String(lane === focused), title: rows[lane] ? `thread ${rows[lane][2]}` : "" }, String(lane));
    button.setAttribute("aria-label", `lane ${lane}`);
    button.disabled = !chooseLane;
    if (chooseLane) button.addEventListener("click", () => chooseLane(lane));
    head.append(element("th", { scope: "col" }, button));
  }
  const states = element("tr", { className: "state" }, element("th", { scope: "row" }, "state"));
  const reasons = element("tr", { className: "reason" }, element("th", { scope: "row" }, "why"));
  for (const lane of laneNumbers) {
    const reason = rows[lane]?.[4] || "";
    const [name, letter] = classOfState(found.states[lane], reason);
    states.append(element("td", { className: name, title: found.states[lane] + (reason && `: ${reason}`), "aria-label": found.states[lane] }, letter));
    reasons.append(element("td", { title: reason }, reason.replace(/ entry /, " ").replace(/^(\w+), \1 /, "$1 ")));
  }
  const body = element("tbody", {}, states, reasons);
  for (const column of found.columns) {
    const old = before?.get(column.expression);
    const row = element("tr", {}, element("th", { scope: "row" }, column.expression));
    column.lanes.forEach((text, lane) => {
      const isChanged = column.changed.includes(lane) || (old && old[lane] !== text);
      const shown = shortText(text, /^P\d$/.test(column.expression));
      const cell = element("td", { className: (isChanged ? "changed" : "") + ((active >>> lane) & 1 ? "" : " none"), title: `${column.expression}[${lane}] = ${text ?? "no value"}` }, shown);
      if (isChanged) cell.setAttribute("aria-label", `${shown}, changed`);
      row.append(cell);
    });
    body.append(row);
  }
  show("lanesScroll", element("table", { className: "lanes" }, element("caption", {}, `Active: lanes ${rangesOfMask(active)} (${found.active})`), element("thead", {}, head), body));
}
function drawLegend() {
  const kinds = [["active", "A", "active"], ["inactive", "I", "inactive: another side goes first"], ["waiting", "W", "waiting"], ["exited", "X", "exited"], ["barrier", "B", "at a barrier"], ["trapped", "T", "trapped"]];
  show("legend", ...kinds.map(([name, letter, text]) => element("li", {}, element("span", { className: name }, letter), text)));
}

//===--- Stack, warps, CTAs, caches

function drawStack(answer) {
  if (!answer.tables) return showWords("stackScroll", answer);
  const depth = dataOf(answer, "stack");
  show(
    "stackScroll",
    plainTable(`${depth.depth} deep, ${depth.deepest} at most; dark: lanes that wait there`, answer.tables[0], (text, title, row) =>
      title === "Mask" ? element("span", {}, drawMask(Number(text), maskOfRanges(row[5])), " " + text) : text,
    ),
  );
}

const classOfWarp = (state) => (/exited/.test(state) ? "exited" : /trap/.test(state) ? "trapped" : /barrier/.test(state) ? "barrier" : /wait/.test(state) ? "waiting" : "active");
/// Rows of warps that are alike stand for several CTAs and warps.
function drawWarps(answer, grid, choose) {
  if (!answer.tables) {
    byId("warpMap").replaceChildren();
    return showWords("warpsScroll", answer);
  }
  show("warpsScroll", plainTable("Warps that run; those alike share a row", answer.tables[0]));
  const most = 600;
  const squares = [];
  const size = grid || [1, 1, 1];
  const linear = ([x, y, z]) => x + size[0] * (y + size[1] * z);
  const index = (number) => [number % size[0], Math.floor(number / size[0]) % size[1], Math.floor(number / size[0] / size[1])];
  const byCta = new Map();
  let left = 0;
  for (const [focus, ctas, warps, , , active, lanes, , state] of answer.tables[0].slice(1)) {
    const ends = [...ctas.matchAll(/\((\d+),(\d+),(\d+)\)/g)].map(([, x, y, z]) => linear([+x, +y, +z]));
    const [first, last = first] = warps.split("-").map(Number);
    for (let cta = ends[0]; cta <= (ends[1] ?? ends[0]); ++cta)
      for (let warp = first; warp <= last; ++warp) {
        if (squares.length >= most) {
          ++left;
          continue;
        }
        const place = index(cta);
        const label = `cta (${place}) warp ${warp}, ${state}, lanes ${lanes} ${active}`;
        const button = element("button", { type: "button", className: classOfWarp(state), title: label }, String(warp));
        button.setAttribute("aria-label", label);
        if (focus === "*") button.setAttribute("aria-current", "true");
        button.disabled = !choose;
        if (choose) button.addEventListener("click", () => choose(place, warp));
        squares.push(button);
        if (!byCta.has(cta)) byCta.set(cta, []);
        byCta.get(cta).push(button);
      }
  }
  const parts = [];
  for (const [cta, buttons] of [...byCta].sort(([a], [b]) => a - b)) parts.push(element("span", { className: "cta" }, `(${index(cta)})`), ...buttons);
  if (left) parts.push(element("span", { className: "cta" }, `and ${left} more`));
  show("warpMap", ...parts);
}

/// A box for each SM, in it one for each of its places: whose state is there, and what becomes of it.
function drawSms(answer, chooseContext) {
  if (!answer.tables) {
    byId("smMap").replaceChildren();
    return showWords("smsScroll", answer);
  }
  const [header, ...rows] = answer.tables[0];
  show("smsScroll", plainTable("SMs, a row for each place that holds a context's state", answer.tables[0]));
  const boxes = new Map();
  for (const row of rows) {
    const of = Object.fromEntries(header.map((title, i) => [title, row[i]]));
    if (!boxes.has(of.SM)) boxes.set(of.SM, element("span", { className: "sm", role: "group", "aria-label": `SM ${of.SM}` }, element("span", { className: "cta" }, of.SM)));
    const box = boxes.get(of.SM);
    const holder = of.Holder === "-" ? null : of.Holder;
    const state = of.State || "runs";
    const label = `SM ${of.SM}` + (of.Holder ? ` place ${box.children.length - 1}: ${holder ? `state of ${holder}` : "no state"}, ${state}, for ${of.Owner}` : "") + `, ${of.CTAs} CTAs, ${of.Warps} warps`;
    const kind = /runs/.test(state) ? "active" : /drains/.test(state) ? "waiting" : /until/.test(state) ? "barrier" : "none";
    const button = element("button", { type: "button", className: kind, title: label }, of.Holder ? holder || "·" : `${of.CTAs} × CTA`);
    button.setAttribute("aria-label", label);
    if (row[0] === "*") button.setAttribute("aria-current", "true");
    button.disabled = !chooseContext || !holder;
    if (!button.disabled) button.addEventListener("click", () => chooseContext(holder));
    box.append(button);
  }
  show("smMap", ...boxes.values());
}

function drawCtas(answer, grid) {
  const canvas = byId("ctaMap");
  const facts = dataOf(answer, "ctas");
  canvas.hidden = !facts || !grid;
  if (!facts) {
    byId("ctaText").textContent = wordsOf(answer);
    return;
  }
  const rows = answer.tables?.[0].slice(1) || [];
  const running = new Set(grid ? rows.map((row) => row[1].match(/\d+/g).map(Number)).map(([x, y, z]) => x + grid[0] * (y + grid[1] * z)) : []);
  const words = `${facts.ctas} CTAs: ${facts.started - rows.length} done, ${rows.length} running, ${facts.ctas - facts.started} to come`;
  byId("ctaText").textContent = words;
  canvas.setAttribute("aria-label", words);
  show("ctasScroll", answer.tables ? plainTable("CTAs that run", answer.tables[0]) : "");
  const columns = Math.min(64, facts.ctas);
  const each = Math.ceil(facts.ctas / (columns * 16)); // CTAs a cell
  const cells = Math.ceil(facts.ctas / each);
  const side = 10;
  canvas.width = 64 * side;
  canvas.height = Math.ceil(cells / 64) * side;
  const style = getComputedStyle(document.documentElement);
  const probe = element("span");
  document.body.append(probe);
  const colour = (name) => ((probe.style.color = `var(--${name})`), getComputedStyle(probe).color);
  const colours = { done: colour("exited"), running: colour("waiting"), later: colour("panel") };
  probe.remove();
  const context = canvas.getContext("2d");
  for (let cell = 0; cell < cells; ++cell) {
    let state = cell * each < facts.started ? "done" : "later";
    for (let cta = cell * each; cta < (cell + 1) * each; ++cta) if (running.has(cta)) state = "running";
    context.fillStyle = colours[state];
    context.fillRect((cell % 64) * side, Math.floor(cell / 64) * side, side - 1, side - 1);
  }
}

/// A row for each word, a column for each place that may hold it: how, and which version.
function drawConstants(words) {
  if (words[0].protocol === "drained") return null;
  const isOldest = words[0].protocol === "A";
  const cell = (copy, version, name) => {
    const [kind, state] = !copy ? ["none", "not there"] : copy.locked && isOldest ? ["waiting", "locked, dirty"] : copy.dirty ? ["barrier", "dirty"] : ["active", "valid"];
    const tag = version === undefined ? "" : `${isOldest ? "v" : "t"}${version}`;
    const label = `${name}: ${state}${copy ? ` ${copy.bits}` : ""}${tag && `, ${isOldest ? "version" : "tag"} ${version}`}`;
    return element("td", { className: kind, title: label, "aria-label": label }, copy ? `${tag}${kind === "waiting" ? " L" : kind === "barrier" ? " D" : ""}` || "✓" : "·");
  };
  const head = ["Word", ...words[0].sms.map(({ sm }) => `SM ${sm}`), "L2", ...(isOldest ? [] : ["Older", "Queue"]), "Memory"];
  const rows = words.map((word) => {
    const places = word.sms.map((sm) => cell(sm.bits === undefined ? null : sm, isOldest ? sm.version : sm.tag, `${word.place} in L1 of SM ${sm.sm}${isOldest && !sm.coherent ? ", not coherent" : ""}`));
    const older = isOldest ? [] : [word.backup.map(({ tag }) => `t${tag}`).join(" ") || "·", String(word.queue.length || "·")].map((text) => element("td", {}, text));
    return element("tr", {}, element("th", { scope: "row" }, word.place), ...places, cell(word.l2, isOldest ? word.l2Version : undefined, `${word.place} in L2`), ...older, element("td", {}, word.memory));
  });
  const first = words[0];
  const caption = isOldest ? `Constants, protocol A: L2 has version ${first.l2Version} of ${first.currentVersion}. v: version; L: locked and dirty; D: dirty; a dot: not there` : "Constants, protocol B. t: tag; Older: in the backup; Queue: on the way to L2; a dot: not there";
  return element("table", { className: "cells" }, element("caption", {}, caption), element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col" }, text)))), element("tbody", {}, ...rows));
}

/// A row for each set, a column for each way. `before`: the cells as they were shown of the moment before.
function drawCacheLines(answer, before) {
  const facts = dataOf(answer, "cache");
  byId("cacheLines").hidden = !facts?.name;
  if (!facts?.name) return null;
  const { name, title, sets, ways, lineBytes, shown } = facts;
  show("cache", ...facts.caches.map((one) => element("option", { value: one.name, selected: one.name === name }, one.title)));
  byId("cacheBefore").disabled = facts.before === undefined;
  byId("cacheNext").disabled = facts.next === undefined;
  const there = new Map(facts.lines.map((line) => [`${line.set} ${line.way}`, line]));
  const columns = Array.from({ length: shown.ways }, (_, i) => shown.way + i);
  const cells = new Map();
  const rows = Array.from({ length: shown.sets }, (_, i) => {
    const set = shown.set + i;
    const row = element("tr", {}, element("th", { scope: "row" }, String(set)));
    for (const way of columns) {
      const key = `${set} ${way}`;
      const line = there.get(key);
      const [kind, mark, state] = !line ? ["none", "", "not there"] : line.comes ? ["waiting", " W", `comes in cycle ${line.comes}`] : line.dirty ? ["barrier", " D", "dirty"] : ["active", "", "valid"];
      const text = line ? line.address.replace(/^0x0*(?=.)/, "") + mark : "·";
      cells.set(key, text);
      const isChanged = before?.has(key) && before.get(key) !== text;
      const label = `set ${set} way ${way}: ${line ? `${line.address}, ` : ""}${state}${line ? `, age ${line.age}` : ""}${isChanged ? ", changed" : ""}`;
      row.append(element("td", { className: kind + (isChanged ? " changed" : ""), title: label, "aria-label": label }, text, ...(line ? [element("small", {}, String(line.age))] : [])));
    }
    return row;
  });
  const range = (first, count, of) => (count === of ? "" : `, ${first} to ${first + count - 1} shown`);
  byId("cacheText").textContent = `${title}: sets of ${ways}${range(shown.way, shown.ways, ways)}, ${sets} of them${range(shown.set, shown.sets, sets)}; lines of ${lineBytes} bytes. D: dirty; W: under way; a dot: not there; small: its age, how many of the set were used since`;
  const head = element("tr", {}, ...["Set", ...columns.map((way) => `Way ${way}`)].map((text) => element("th", { scope: "col" }, text)));
  show("cacheGrid", element("table", { className: "cells" }, element("caption", {}, `Lines of ${name}`), element("thead", {}, head), element("tbody", {}, ...rows)));
  show("cacheScroll", plainTable(`Lines of ${name} that are there`, answer.tables[0]));
  return cells;
}

function drawContexts(answer, choose) {
  if (!answer.tables) return showWords("contextsScroll", answer);
  const [header, ...rows] = answer.tables[0];
  show("contextsScroll", plainTable("Who shares the machine", [header, ...rows]));
  const buttons = rows.map(([focus, name, , state]) => {
    const button = element("button", { type: "button", title: state }, name);
    button.setAttribute("aria-pressed", String(focus === "*"));
    button.disabled = !choose;
    if (choose) button.addEventListener("click", () => choose(name));
    return button;
  });
  show("contextButtons", ...buttons);
}

const titleOfKey = (key) => key.replace(/([A-Z])/g, (letter) => " " + letter.toLowerCase()).replace(/^./, (letter) => letter.toUpperCase());
function drawCaches(caches, constants) {
  const parts = [];
  const add = (caption, rows) => parts.push(element("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": caption }, plainTable(caption, rows)));
  for (const [key, value] of Object.entries(dataOf(caches, "caches") || {})) {
    if (key === "kind" || typeof value !== "object") continue;
    const list = Array.isArray(value) ? value : [value];
    if (!list.length) continue;
    const keys = Object.keys(list[0]);
    const head = Array.isArray(value) ? ["Number"] : [];
    add(titleOfKey(key), [[...head, ...keys.map(titleOfKey)], ...list.map((one, i) => [...(head.length ? [String(i)] : []), ...keys.map((name) => (typeof one[name] === "object" ? JSON.stringify(one[name]) : String(one[name])))])]);
  }
  const words = dataOf(constants, "constants")?.words || [];
  const grid = words.length ? drawConstants(words) : null;
  if (grid) parts.unshift(element("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": "Constants by place" }, grid));
  if (constants.tables) add("Constants: the words", constants.tables[0]);
  show("cacheTables", ...(parts.length ? parts : [element("p", { className: "note" }, wordsOf(caches))]));
}
