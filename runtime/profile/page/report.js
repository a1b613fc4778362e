"use strict";
// The page of a profile: everything it shows is in the JSON text beside it (profile.json), and nothing is fetched.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const kinds = new Map(data.kinds.map((kind) => [kind.key, kind]));
  const main = document.getElementById("main");
  const launchChoice = document.getElementById("launch");
  const heatChoice = document.getElementById("heat");

  const number = (value) => value.toLocaleString("en-US");
  const percent = (part, whole) => (whole ? ((100 * part) / whole).toFixed(1) + "%" : "");
  const count = (row, key) => row.counts[key] || 0;

  function element(tag, properties = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(properties))
      if (name in made) made[name] = value;
      else made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  function section(id, title, ...children) {
    const made = element("section", { id }, element("h2", {}, title), ...children);
    main.append(made);
    return made;
  }

  function scrolling(label, table) {
    return element("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": label }, table);
  }

  // A table whose columns are { title, value(row), text(row) or cell(row), className, help }; a click sorts it.
  function sortableTable(caption, columns, rows, sortedBy) {
    const body = element("tbody");
    const headers = columns.map((column) => {
      const header = element("th", { scope: "col", className: column.className || "", "aria-sort": "none" });
      const button = element("button", { type: "button", title: column.help || "" }, column.title);
      button.addEventListener("click", () => sort(column, header.getAttribute("aria-sort") === "descending"));
      header.append(button);
      return header;
    });
    const made = rows.map((row) => ({
      row,
      line: element("tr", {}, ...columns.map((column, index) => cellOf(column, row, index))),
    }));
    function cellOf(column, row, index) {
      const cell = element(index ? "td" : "th", { className: column.className || "" });
      if (!index) cell.scope = "row";
      cell.append(column.cell ? column.cell(row) : column.text ? column.text(row) : number(column.value(row)));
      return cell;
    }
    function sort(column, ascending) {
      headers.forEach((header, i) => header.setAttribute("aria-sort", columns[i] !== column ? "none" : ascending ? "ascending" : "descending"));
      const sign = ascending ? 1 : -1;
      const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b, "en") : a - b);
      made.sort((a, b) => sign * compare(column.value(a.row), column.value(b.row)));
      body.append(...made.map((one) => one.line));
    }
    sort(sortedBy || columns[0], !sortedBy);
    return scrolling(caption, element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, ...headers)), body));
  }

  const countColumn = (key, className) => ({
    title: kinds.get(key).label,
    help: kinds.get(key).help,
    className,
    value: (row) => count(row, key),
    text: (row) => (count(row, key) ? number(count(row, key)) : ""),
  });
  const used = (launch) => data.kinds.filter((kind) => count(launch, kind.key));

  //===--- Lines and files ---===//

  // The file with the most warp instructions has plain names: #line-12. Others have their number before it.
  function filesOf(launch) {
    const warps = new Map();
    for (const row of launch.lines) warps.set(row.file, (warps.get(row.file) || 0) + count(row, "warps"));
    return [...warps.keys()].sort((a, b) => warps.get(b) - warps.get(a) || (a < b ? -1 : 1));
  }
  let files = [];
  const anchor = (file, line) => (files.indexOf(file) > 0 ? "file-" + (files.indexOf(file) + 1) + "-" : "") + "line-" + line;
  const sourceText = (row) => (row.line && data.sources[row.file] && data.sources[row.file][row.line - 1]) || "";
  const place = (row) => (row.line ? row.file.split("/").pop() + ":" + row.line : row.label);
  const link = (row) => (row.line ? element("a", { href: "#" + anchor(row.file, row.line) }, place(row)) : place(row));

  function heatCell(value, most) {
    const cell = element("td", { className: "heat" }, value ? number(value) : "");
    cell.style.setProperty("--share", (most ? (100 * value) / most : 0).toFixed(2) + "%");
    return cell;
  }

  //===--- The parts of the page ---===//

  function showSummary(launch) {
    const groups = new Map();
    const add = (group, label, text, help) => {
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push({ label, text, help });
    };
    add("launch", "grid", launch.grid.join(" × "), "CTAs");
    add("launch", "block", launch.block.join(" × "), "threads of a CTA");
    for (const kind of used(launch)) add(kind.group, kind.label, number(count(launch, kind.key)), kind.help);
    const ratio = (group, label, part, whole, help) => {
      if (count(launch, whole)) add(group, label, (count(launch, part) / count(launch, whole)).toFixed(2), help);
    };
    add("execution", "SIMT efficiency", percent(count(launch, "lanes"), 32 * count(launch, "warps")), "lanes that executed, of all there were");
    if (data.memory) {
      ratio("memory", "sectors a request", "sectors", "requests", "4 is what 32 lanes with 4 bytes in a row need");
      ratio("memory", "lines a request", "lines", "requests", "1 is what 32 lanes with 4 bytes in a row need");
      ratio("shared memory", "passes a request", "sharedPasses", "sharedRequests", "1 is the best of 4 bytes a lane");
    }
    const tables = [...groups].map(([group, rows]) =>
      element(
        "div",
        { className: "scroll", tabIndex: 0, role: "region", "aria-label": group },
        element(
          "table",
          {},
          element("caption", {}, group),
          element("tbody", {}, ...rows.map((row) => element("tr", { title: row.help || "" }, element("th", { scope: "row", className: "text" }, row.label), element("td", {}, row.text)))),
        ),
      ),
    );
    section("summary", "Summary", element("div", { className: "group" }, ...tables));
  }

  // Where the cycles of warps went, of the cycle model: a bar, and its words.
  function showCycles(launch) {
    if (!data.cycles) return;
    const parts = [["issued", count(launch, "warps")], ...data.kinds.filter((kind) => kind.group === "cycles").map((kind) => [kind.label, count(launch, kind.key)])].filter(([, cycles]) => cycles);
    const whole = parts.reduce((sum, [, cycles]) => sum + cycles, 0);
    const bar = element("div", { className: "stack", "aria-hidden": "true" });
    const words = element("ul", { className: "legend" });
    for (const [label, cycles] of parts) {
      const piece = element("span", { className: "piece" });
      piece.style.flexGrow = cycles;
      bar.append(piece);
      words.append(element("li", {}, element("span", { className: "piece", "aria-hidden": "true" }), label + ": " + number(cycles) + " (" + percent(cycles, whole) + ")"));
    }
    section("cycles", "Cycles of warps", bar, words);
  }

  function showHotLines(launch, heat) {
    if (!launch.lines.length) return;
    const rows = [...launch.lines].sort((a, b) => count(b, heat) - count(a, heat)).slice(0, 200);
    const first = countColumn(heat);
    const columns = [
      { title: "line", className: "text", value: (row) => row.file + ":" + String(row.line).padStart(8), cell: link },
      first,
      { title: "share", help: "of the whole launch", value: (row) => count(row, heat), text: (row) => percent(count(row, heat), count(launch, heat)) },
      { title: "lanes", help: "that executed, of 32", value: (row) => count(row, "lanes") / (32 * (count(row, "warps") || 1)), text: (row) => percent(count(row, "lanes"), 32 * count(row, "warps")) },
      { title: "source", className: "code", value: sourceText, text: (row) => sourceText(row).trim() },
      ...used(launch)
        .filter((kind) => !["lanes", heat].includes(kind.key))
        .map((kind) => countColumn(kind.key, "wide")),
    ];
    section("lines", "Hottest lines", sortableTable("The lines with most: " + kinds.get(heat).label + ". A click on a heading sorts.", columns, rows, first));
  }

  function showSource(launch, heat) {
    const made = section("source", "Source");
    if (!files.length) made.append(element("p", { className: "note" }, "The program has no line table: leno-as -g writes one. The instructions are below."));
    const most = Math.max(1, ...launch.lines.map((row) => count(row, heat)));
    for (const file of files) {
      const rows = new Map(launch.lines.filter((row) => row.file === file).map((row) => [row.line, row]));
      const text = data.sources[file] || [];
      if (!text.length) made.append(element("p", { className: "note" }, "The text of " + file + " was not found when the profile was written."));
      const last = Math.max(text.length, ...rows.keys());
      const lines = [];
      for (let line = 1; line <= last; ++line) {
        const row = rows.get(line);
        if (!row && !text.length) continue;
        const name = anchor(file, line);
        lines.push(
          element(
            "tr",
            { id: name },
            element("th", { scope: "row" }, element("a", { href: "#" + name }, String(line))),
            heatCell(row ? count(row, heat) : 0, most),
            element("td", {}, row ? percent(count(row, "lanes"), 32 * count(row, "warps")) : ""),
            element("td", { className: "code" }, text[line - 1] || ""),
          ),
        );
      }
      const head = ["line", kinds.get(heat).label, "lanes"].map((title) => element("th", { scope: "col" }, title));
      head.push(element("th", { scope: "col", className: "text" }, "source"));
      made.append(
        scrolling(
          "Source of " + file,
          element("table", { className: "lines" }, element("caption", {}, file), element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...lines)),
        ),
      );
    }
  }

  function showInstructions(launch, heat) {
    const address = { title: "address", className: "text", value: (row) => row.address, text: (row) => "0x" + row.address.toString(16).padStart(4, "0") };
    const columns = [
      address,
      { title: "line", className: "text", value: (row) => place(row), cell: link },
      countColumn(heat),
      { title: "lanes", help: "that executed, of 32", value: (row) => count(row, "lanes") / (32 * (count(row, "warps") || 1)), text: (row) => percent(count(row, "lanes"), 32 * count(row, "warps")) },
      { title: "instruction", className: "code", value: (row) => row.text, text: (row) => row.text },
      ...used(launch)
        .filter((kind) => !["lanes", heat].includes(kind.key))
        .map((kind) => countColumn(kind.key, "wide")),
    ];
    section("instructions", "Instructions", sortableTable("Every instruction that has executed", columns, launch.instructions));
  }

  function showPieces(id, title, what, pieces, ofEach) {
    const most = Math.max(1, ...pieces.map((piece) => piece.warps));
    const namespace = "http://www.w3.org/2000/svg";
    const chart = document.createElementNS(namespace, "svg");
    chart.setAttribute("viewBox", "0 0 " + pieces.length + " 100");
    chart.setAttribute("preserveAspectRatio", "none");
    chart.setAttribute("role", "img");
    chart.setAttribute("aria-label", "Warp instructions of each " + what + ", up to " + number(most) + "; the table below has the numbers");
    pieces.forEach((piece, i) => {
      const bar = document.createElementNS(namespace, "rect");
      const height = (100 * piece.warps) / most;
      for (const [name, value] of Object.entries({ x: i + 0.05, y: 100 - height, width: 0.9, height })) bar.setAttribute(name, value);
      chart.append(bar);
    });
    const name = (i) => (ofEach > 1 ? i * ofEach + "–" + ((i + 1) * ofEach - 1) : String(i));
    const rows = pieces.map((piece, i) => ({ ...piece, number: i }));
    const table = sortableTable(
      "By " + what,
      [
        { title: what, className: "text", value: (row) => row.number, text: (row) => name(row.number) },
        { title: "CTAs", value: (row) => row.ctas },
        { title: "warp instructions", value: (row) => row.warps },
      ],
      rows,
    );
    section(id, title, element("figure", {}, chart), element("details", {}, element("summary", {}, "As a table"), table));
  }

  //===--- Choosing ---===//

  function show() {
    const launch = data.launches[Number(launchChoice.value)];
    const heat = heatChoice.value;
    files = filesOf(launch);
    main.replaceChildren();
    document.title = "Leno profile: " + launch.name;
    document.getElementById("title").textContent = "Profile of " + launch.name + " (" + launch.program + ")";
    showSummary(launch);
    showCycles(launch);
    showHotLines(launch, heat);
    showSource(launch, heat);
    showInstructions(launch, heat);
    showPieces("ctas", "CTAs", launch.ctas.ofEach > 1 ? "CTAs" : "CTA", launch.ctas.pieces, launch.ctas.ofEach);
    if (launch.sms) showPieces("sms", "SMs", "SM", launch.sms, 1);
    const links = [...main.querySelectorAll("section")].map((one) => element("a", { href: "#" + one.id }, one.querySelector("h2").textContent));
    document.getElementById("sections").replaceChildren(...links);
  }

  function fillHeat() {
    const before = heatChoice.value;
    const launch = data.launches[Number(launchChoice.value)];
    const choices = used(launch);
    heatChoice.replaceChildren(...choices.map((kind) => element("option", { value: kind.key, title: kind.help }, kind.label)));
    heatChoice.value = choices.some((kind) => kind.key === before) ? before : "warps";
  }

  // The rows are made after the page has looked for its target.
  function goToTarget() {
    document.querySelectorAll("tr.chosen").forEach((row) => row.classList.remove("chosen"));
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.tagName === "TR") target.classList.add("chosen");
    target.scrollIntoView({ block: target.tagName === "TR" ? "center" : "start" });
  }

  if (!data.launches.length) {
    main.append(element("p", {}, "Nothing was launched."));
    return;
  }
  launchChoice.append(...data.launches.map((launch, i) => element("option", { value: String(i) }, launch.name)));
  launchChoice.addEventListener("change", () => {
    fillHeat();
    show();
  });
  heatChoice.addEventListener("change", show);
  document.getElementById("choices").addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", goToTarget);
  fillHeat();
  show();
  goToTarget();
})();
