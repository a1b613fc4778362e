// The warp view, live and exported, at 1280 and 400 pixels, light and dark: a click sets a breakpoint, keys step, the time axis is
// dragged back; masks, lanes and registers are those that leno-dbg --json has at that tick, asked of another debugger; and so are the
// lines of the caches, whose places are known by hand. Nothing complains, nothing is fetched from elsewhere, and nothing stands outside of the page.
// RUN: %browser
const childProcess = require("child_process");
const fs = require("fs");
const path = require("path");

const [, , editorFolder, debuggerPath] = process.argv;
const { chromium } = require(path.join(editorFolder, "node_modules/playwright-core"));
const { check, folder, kernel, launch, compare, drag, checkLooks } = require("./warps.js");

const last = 60; // the tick to which the run goes before it is looked at

async function open(browser, address, width, colorScheme) {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  page.setDefaultTimeout(1000 * (process.env.LENO_TEST_PATIENCE || 60));
  const complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => request.url().startsWith("data:") || request.url().startsWith(address) || complaints.push("asks for " + request.url()));
  await page.goto(address);
  return { page, complaints };
}
async function checkAndShoot(page, name, colorScheme, complaints) {
  await checkLooks(page, name, colorScheme, complaints);
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: path.join(folder, name + ".png"), fullPage: true });
}

async function checkLive(browser, width, colorScheme) {
  const name = `live-${width}-${colorScheme}`;
  const child = childProcess.spawn(path.resolve(debuggerPath), [...launch, "--web", "--nx"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  try {
    const address = await new Promise((resolve) => child.stdout.once("data", (text) => resolve(String(text).match(/http:\S+/)[0])));
    const { page, complaints } = await open(browser, address, width, colorScheme);
    const point = page.locator("#line-13 button"); // the sum in the loop
    await point.click();
    await page.waitForSelector('#line-13 button[aria-pressed="true"]');
    await page.click('[data-command="run"]');
    await page.waitForFunction(() => /^breakpoint: cta \(0,0,0\) warp 0/.test(document.getElementById("status").textContent));
    const stopped = Number(await page.locator("#tick").inputValue());
    await compare(page, stopped);
    check(/here/.test(await page.locator("#line-13").getAttribute("class")), "the line of the stop");
    for (let i = 1; i <= 3; ++i) {
      await page.keyboard.press("s");
      await page.waitForFunction((tick) => document.getElementById("tick").value === tick, String(stopped + i));
    }
    const truth = await compare(page, stopped + 3);
    // The launch's constants by place: a word for each row, a column for each SM, L2 and memory.
    const grid = page.locator("#cacheTables table.cells");
    check((await grid.locator("tbody tr").count()) === 9, "the words of bank 0", await grid.innerText());
    check(/^c\[0\]\[0x00\] in L1 of SM 0: (valid|not there)/.test(await grid.locator("tbody tr:first-child td").first().getAttribute("aria-label")), "what is where", await grid.innerText());
    check(truth.stack.length >= 2, "a stack to be seen", truth.stack);
    // What the last step has changed is marked.
    await page.keyboard.press("k");
    await page.waitForFunction((tick) => document.getElementById("markList").textContent.includes(tick + ": bookmark"), stopped + 3);
    await checkAndShoot(page, name, colorScheme, complaints);

    await drag(page, 4);
    await compare(page, 4);
    await page.keyboard.press("b");
    await compare(page, 3);
    await page.click("#showCode");
    check((await page.locator("#codeScroll tr.here").innerText()).includes("SSY"), "disassembly");
    await page.keyboard.press("/");
    await page.keyboard.type("R0[7] * 2\n");
    await page.waitForFunction(() => /= 14/.test(document.getElementById("log").textContent));
    // The switch, whatever is preferred.
    await page.click("#theme");
    const colours = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
    check(colours[0] > 200 === (colorScheme !== "light"), "after the switch", colours);
    check(complaints.length === 0, name, complaints);
    child.stdin.end();
    await page.waitForFunction(() => /ended/.test(document.getElementById("status").textContent));
    await page.close();
  } finally {
    child.kill();
  }
}

async function checkExported(browser, width, colorScheme) {
  const name = `exported-${width}-${colorScheme}`;
  const { page, complaints } = await open(browser, "file://" + path.join(folder, "parts.html"), width, colorScheme);
  await compare(page, last);
  check(!(await page.locator("#evaluate").isVisible()), "nobody is there to evaluate");
  check((await page.locator("#tick").getAttribute("min")) === String(last - 39), "40 moments");
  for (const tick of [last - 39, 31, 45]) {
    await drag(page, tick);
    await compare(page, tick, last);
  }
  await page.keyboard.press("s");
  await compare(page, 46, last);
  await page.keyboard.press("b");
  await page.keyboard.press("b");
  await compare(page, 44, last);
  await page.keyboard.press("p");
  await page.waitForFunction(() => Number(document.getElementById("tick").value) >= 46);
  await page.keyboard.press("p");
  await drag(page, 31);
  await compare(page, 31, last);
  await checkAndShoot(page, name, colorScheme, complaints);
  await page.close();
}

//===--- The lines of caches

const loads = `        .kernel loads
        .param  ptr in
        MOV     R2, c[0][in];
        MOV     R3, c[0][in+4];
        LDG     R4, [R2.64+0x80];
        STG     [R2.64+0x80], R4;
        EXIT;
        .endkernel
`;
const caches = { "sm.count": 2, "timing.model": "cycles", "l1.model": "cache", "l1.bytes": 1024, "l1.ways": 2, "icache.model": "cache", "l2.model": "slices", "l2.slices": 2, "l2.bytes": 65536, "l2.ways": 8 };
const launchOfLoads = ["loads.s", "--block", "1", "--arg", "zero:u32[256]", ...Object.entries(caches).flatMap(([key, value]) => ["--set", `${key}=${value}`])];

/// The grid against what another debugger says at that tick; returns the cells by set and way.
async function compareLines(page, tick, what) {
  await page.waitForFunction((wanted) => document.body.dataset.shown === wanted && !document.body.ariaBusy, String(tick));
  const asked = ["start", `goto tick ${tick}`, `info cache ${what}`].join("\n") + "\n";
  const said = childProcess.execFileSync(path.resolve(debuggerPath), [...launchOfLoads, "--json"], { cwd: folder, input: asked, encoding: "utf8" });
  const [truth] = said.trim().split("\n").map((line) => JSON.parse(line)).filter((line) => line.type === "answer")[2].data;
  const rows = await page.locator("#cacheGrid tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => ({ text: cell.textContent, label: cell.getAttribute("aria-label"), kind: cell.className }))));
  check(rows.length === truth.shown.sets && rows.every((row) => row.length === 1 + truth.shown.ways), "sets and ways of", what, rows.length, truth.shown);
  const lines = new Map(truth.lines.map((line) => [`${line.set} ${line.way}`, line]));
  const cells = new Map();
  rows.forEach((row, i) =>
    row.slice(1).forEach((cell, j) => {
      const [set, way] = [truth.shown.set + i, truth.shown.way + j];
      check(row[0].text === String(set), "the set's number", row[0], set);
      const line = lines.get(`${set} ${way}`);
      const text = line ? Number(line.address).toString(16) + (line.comes ? " W" : line.dirty ? " D" : "") + line.age : "·";
      const kind = !line ? "none" : line.comes ? "waiting" : line.dirty ? "barrier" : "active";
      check(cell.text === text && cell.kind.split(" ")[0] === kind && cell.label.startsWith(`set ${set} way ${way}: ${line ? line.address : "not there"}`), what, "at", tick, cell, line || "nothing");
      cells.set(`${set} ${way}`, cell);
    }),
  );
  const listed = await page.locator("#cacheScroll tbody tr").count();
  check(listed === truth.lines.length, "the table of", what, listed, truth.lines);
  return { cells, truth };
}

async function checkCaches(browser, width, colorScheme) {
  const name = `caches-${width}-${colorScheme}`;
  const child = childProcess.spawn(path.resolve(debuggerPath), [...launchOfLoads, "--web", "--nx", "--ex", "start"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  try {
    const address = await new Promise((resolve) => child.stdout.once("data", (text) => resolve(String(text).match(/http:\S+/)[0])));
    const { page, complaints } = await open(browser, address, width, colorScheme);
    await page.waitForFunction(() => document.body.dataset.shown);
    const first = Number(await page.locator("#tick").inputValue());
    const step = async (tick) => {
      await page.keyboard.press("s");
      await page.waitForFunction((wanted) => document.body.dataset.shown === wanted && !document.body.ariaBusy, String(tick));
    };
    await step(first + 1);
    await step(first + 2);
    let { cells } = await compareLines(page, first + 2, "l1[0]");
    check([...cells.values()].every(({ text }) => text === "·"), "an empty L1", [...cells.values()]);
    // Memory begins at 0x10000, a set of the L1 has every fourth line: 0x10080 is in set 1.
    await step(first + 3);
    ({ cells } = await compareLines(page, first + 3, "l1[0]"));
    const loaded = cells.get("1 0");
    check(/^10080 W/.test(loaded.text) && /changed/.test(loaded.kind) && /^set 1 way 0: 0x10080, comes in cycle \d+, age 0, changed$/.test(loaded.label), "the line that was loaded", loaded);
    check([...cells.values()].filter(({ kind }) => /changed/.test(kind)).length === 1, "one line has changed", [...cells]);
    await page.locator("#caches").screenshot({ path: path.join(folder, name + "-l1.png") });
    await step(first + 4);
    ({ cells } = await compareLines(page, first + 4, "l1[0]"));
    check(cells.get("1 0").label === "set 1 way 0: 0x10080, valid, age 0, changed", "it has come", cells.get("1 0"));
    const choose = async (cache, title) => {
      await page.selectOption("#cache", cache);
      await page.waitForFunction((wanted) => !document.body.ariaBusy && document.getElementById("cacheText").textContent.startsWith(wanted), title);
    };
    // The code begins with a page of the driver's.
    await choose("icache[0]", "instruction cache 0: sets of 4, 16 of them; lines of 128 bytes");
    ({ cells } = await compareLines(page, first + 4, "icache[0]"));
    check(/^3[12][0-9a-f]{6}0000$/.test(cells.get("0 0").text), "the line of the code", cells.get("0 0"));
    // Lines go to slices in turn: this one is the second slice's, and was stored to.
    await choose("l2[1]", "L2 slice 1: sets of 8, 64 of them, 0 to 31 shown; lines of 128 bytes");
    let { truth } = await compareLines(page, first + 4, "l2[1]");
    check(truth.lines.filter((line) => line.dirty).length === 1, "one line is dirty", truth.lines);
    check(await page.locator("#cacheBefore").isDisabled(), "nothing is before the first sets");
    await checkAndShoot(page, name, colorScheme, complaints);
    await page.locator("#caches").screenshot({ path: path.join(folder, name + "-l2.png") });
    await page.click("#cacheNext");
    await page.waitForFunction(() => !document.body.ariaBusy && /32 to 63 shown/.test(document.getElementById("cacheText").textContent));
    await compareLines(page, first + 4, "l2[1] 32");
    check(await page.locator("#cacheNext").isDisabled(), "nothing is behind the last sets");
    await page.click("#cacheBefore");
    await page.waitForFunction(() => !document.body.ariaBusy && / 0 to 31 shown/.test(document.getElementById("cacheText").textContent));
    check(complaints.length === 0, name, complaints);
    await page.close();
  } finally {
    child.kill();
  }
  // Alone, the page has the cache that was looked at last.
  const { page, complaints } = await open(browser, "file://" + path.join(folder, "loads.html"), width, colorScheme);
  await page.waitForFunction(() => document.body.dataset.shown);
  for (const tick of [4, 3, 4]) {
    await drag(page, tick);
    await compareLines(page, tick, "l1[0] 1");
  }
  check(!(await page.locator("#cache").isVisible()), "nobody is there to ask for other lines");
  await checkAndShoot(page, name + "-exported", colorScheme, complaints);
  await page.close();
}

(async () => {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "parts.s"), kernel);
  childProcess.execFileSync(path.resolve(debuggerPath), [...launch, "--batch"], { cwd: folder, input: `start\ngoto tick ${last}\nexport parts.html 40\n` });
  fs.writeFileSync(path.join(folder, "loads.s"), loads);
  childProcess.execFileSync(path.resolve(debuggerPath), [...launchOfLoads, "--batch"], { cwd: folder, input: "start\ngoto tick 4\ninfo cache l1[0] 1\nexport loads.html\n" });
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: [...(process.getuid() === 0 ? ["--no-sandbox"] : []), "--disable-gpu"] });
  try {
    for (const width of [1280, 400])
      for (const colorScheme of ["light", "dark"]) {
        await checkLive(browser, width, colorScheme);
        await checkExported(browser, width, colorScheme);
        await checkCaches(browser, width, colorScheme);
      }
  } finally {
    await browser.close();
  }
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
