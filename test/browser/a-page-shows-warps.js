// The warp view, live and exported, at 1280 and 400 pixels, light and dark: a click sets a breakpoint, keys step, the time axis is
// dragged back; masks, lanes and registers are those that leno-dbg --json has at that tick, asked of another debugger. Nothing
// complains, nothing is fetched from elsewhere, and nothing stands outside of the page.
// RUN: %browser
const childProcess = require("child_process");
const fs = require("fs");
const path = require("path");

const [, , editorFolder, debuggerPath, , output] = process.argv;
const { chromium } = require(path.join(editorFolder, "node_modules/playwright-core"));
const check = (condition, ...words) => {
  if (!condition) throw new Error(["not as expected:", ...words.map((w) => (typeof w === "string" ? w : JSON.stringify(w)))].join(" "));
};
const folder = path.resolve(output);

const kernel = `        .kernel parts
        .param  ptr out
        S2R     R0, SR_LANEID;
        MOV     R1, 0;
        ISETP.lt P0, R0, 20;
        SSY     meet;
    @P0 BRA     low;
        IADD    R1, R0, 100;    # lanes 20-31, & </script><b>"
        SYNC;
low:    AND     R2, R0, 3;
        PBK     out_of;
loop:   ISETP.eq P1, R2, 0;
    @P1 BRK;
        IADD    R1, R1, R2;
        IADD    R2, R2, -1;
        BRA     loop;
out_of: SYNC;
meet:   BAR.SYNC 0;
        SHL     R3, R0, 2;
        IADD    R3, R3, c[0][out];
        STG     [R3], R1;
        EXIT;
        .endkernel
`;
const launch = ["parts.s", "--block", "64", "--grid", "5", "--arg", "zero:u32[64]", "--set", "stack.model=cache", "--set", "stack.entries=2", "--set", "stack.setEntries=1", "--set", "stack.moveEntries=1", "--set", "constants.model=caches"];
const last = 60; // the tick to which the run goes before it is looked at

/// What another debugger says, by command, at a tick; in focus is the warp that executes next when the way led back from `end`.
function truthAt(tick, end) {
  const asked = ["start", `goto tick ${end || tick}`, `goto tick ${tick}`, "info table/x", "info lanes", "info stack"];
  const said = childProcess.execFileSync(path.resolve(debuggerPath), [...launch, "--json"], { cwd: folder, input: asked.join("\n") + "\n", encoding: "utf8" });
  const answers = said.trim().split("\n").map((line) => JSON.parse(line)).filter((line) => line.type === "answer");
  return { table: answers[3].data[0], lanes: answers[4].tables[0].slice(1), stack: answers[5].tables?.[0].slice(1) || [] };
}
const lanesOf = (mask) => [...Array(32).keys()].filter((lane) => (Number(mask) >>> lane) & 1);

async function compare(page, tick, end) {
  await page.waitForFunction((wanted) => document.body.dataset.shown === wanted && !document.body.ariaBusy, String(tick));
  const truth = truthAt(tick, end);
  const caption = await page.locator("#lanesScroll caption").innerText();
  check(caption.includes(truth.table.active), "active at", tick, caption, truth.table.active);
  const rows = await page.locator("#lanesScroll tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  const letters = { active: "A", inactive: "I", waiting: "W", exited: "X", "no thread": "-" };
  check(rows[0].slice(1).every((letter, lane) => letter === letters[truth.lanes[lane][3]] || (letter === "B" && /barrier/.test(truth.lanes[lane][4]))), "states at", tick, rows[0]);
  truth.table.columns.forEach((column, i) => {
    const shown = rows[2 + i];
    check(shown[0] === column.expression, "row", shown[0]);
    column.lanes.forEach((text, lane) => check(Number(/^P/.test(column.expression) ? shown[lane + 1] : "0x" + shown[lane + 1]) === Number(text), column.expression, lane, "at", tick, shown));
  });
  const masks = await page.locator("#stackScroll tbody tr").evaluateAll((all) =>
    all.map((row) => [row.cells[0].textContent, row.cells[1].textContent, [...row.querySelectorAll(".mask i")].flatMap((one, lane) => (one.classList.contains("on") ? [lane] : [])), row.cells[6].textContent]),
  );
  check(JSON.stringify(masks) === JSON.stringify(truth.stack.map((row) => [row[0], row[1], lanesOf(row[4]), row[6]])), "stack at", tick, masks, truth.stack);
  return truth;
}

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
async function drag(page, tick) {
  await page.locator("#tick").evaluate((slider, value) => {
    slider.value = value;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }, String(tick));
}

/// What any of the pages has to be, as it stands now.
async function checkLooks(page, name, width, colorScheme, complaints) {
  check(!(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)), name, "is wider than", width);
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, input, select, canvas, [role=img], [role=region]")].filter((one) => one.checkVisibility() && !(one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.length)).map((one) => one.outerHTML),
  );
  check(nameless.length === 0, name, "without a name", nameless);
  const tables = await page.evaluate(() => [...document.querySelectorAll("table")].every((one) => one.caption && one.querySelector("th[scope]") && one.parentElement.tabIndex === 0));
  check(tables, name, "has a table without a caption, headers or keys");
  const cut = await page.evaluate(() => [...document.querySelectorAll("button, h1, h2, summary")].filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1 && one.clientWidth).map((one) => one.outerHTML));
  check(cut.length === 0, name, "cuts", cut);
  const colours = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
  check(colours[0] > 200 === (colorScheme === "light"), "background", colours);
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: path.join(folder, name + ".png"), fullPage: true });
  check(complaints.length === 0, name, complaints);
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
    await checkLooks(page, name, width, colorScheme, complaints);

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
  await checkLooks(page, name, width, colorScheme, complaints);
  await page.close();
}

(async () => {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "parts.s"), kernel);
  childProcess.execFileSync(path.resolve(debuggerPath), [...launch, "--batch"], { cwd: folder, input: `start\ngoto tick ${last}\nexport parts.html 40\n` });
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: [...(process.getuid() === 0 ? ["--no-sandbox"] : []), "--disable-gpu"] });
  try {
    for (const width of [1280, 400])
      for (const colorScheme of ["light", "dark"]) {
        await checkLive(browser, width, colorScheme);
        await checkExported(browser, width, colorScheme);
      }
  } finally {
    await browser.close();
  }
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
