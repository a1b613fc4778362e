// What the tests of the warp view share: a kernel that comes apart, what another debugger says of it, and whether a page shows that.
// A page may stand in a frame.
const childProcess = require("child_process");
const path = require("path");

const [, , , debuggerPath, , output] = process.argv;
const folder = path.resolve(output);
const check = (condition, ...words) => {
  if (!condition) throw new Error(["not as expected:", ...words.map((w) => (typeof w === "string" ? w : JSON.stringify(w)))].join(" "));
};

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
const settings = { "stack.model": "cache", "stack.entries": 2, "stack.setEntries": 1, "stack.moveEntries": 1, "constants.model": "caches" };
const launch = ["parts.s", "--block", "64", "--grid", "5", "--arg", "zero:u32[64]", ...Object.entries(settings).flatMap(([key, value]) => ["--set", `${key}=${value}`])];

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

async function drag(page, tick) {
  await page.locator("#tick").evaluate((slider, value) => {
    slider.value = value;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }, String(tick));
}

/// What any of the pages has to be, as it stands now.
async function checkLooks(page, name, colorScheme, complaints) {
  check(!(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)), name, "is wider than its window");
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
  check(complaints.length === 0, name, complaints);
}

module.exports = { check, folder, kernel, settings, launch, truthAt, compare, drag, checkLooks };
