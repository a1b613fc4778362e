// Several contexts on one page: the code, the lanes and the maps are those of the context in focus, a button takes the focus to
// another, time goes back for all, and nothing complains.
// RUN: %browser
const childProcess = require("child_process");
const fs = require("fs");
const path = require("path");

const [, , editorFolder, debuggerPath, sourceFolder, output] = process.argv;
const { chromium } = require(path.join(editorFolder, "node_modules/playwright-core"));
const check = (condition, ...words) => {
  if (!condition) throw new Error(["not as expected:", ...words.map((w) => (typeof w === "string" ? w : JSON.stringify(w)))].join(" "));
};
const folder = path.resolve(output);
const inputs = path.join(sourceFolder, "test/dbg/Inputs");

/// SMs that hold the state of two contexts each: the map has both places, as another debugger tells at that tick.
async function checkPlaces(browser) {
  const file = path.join(folder, "contexts.yaml");
  fs.writeFileSync(path.join(folder, "places.yaml"), fs.readFileSync(file, "utf8").replace("machine:\n", "machine:\n  contexts.perSm: 2\n"));
  const child = childProcess.spawn(path.resolve(debuggerPath), ["--contexts", "places.yaml", "--web", "--nx", "--ex", "start"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  try {
    const address = await new Promise((resolve) => child.stdout.once("data", (text) => resolve(String(text).match(/http:\S+/)[0])));
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(1000 * (process.env.LENO_TEST_PATIENCE || 60));
    await page.goto(address);
    const seen = new Set();
    for (const tick of [1, 300, 600, 900]) {
      const asked = ["start", `goto tick ${tick}`, "info sms"].join("\n") + "\n";
      const said = childProcess.execFileSync(path.resolve(debuggerPath), ["--contexts", "places.yaml", "--json"], { cwd: folder, input: asked, encoding: "utf8" });
      const lines = said.trim().split("\n").map((line) => JSON.parse(line));
      const [stop] = lines.filter((line) => line.type === "stop").slice(-1);
      const [header, ...rows] = lines.filter((line) => line.type === "answer")[2].tables[0];
      await page.fill("#expression", `goto tick ${tick}`);
      await page.selectOption("#evaluateKind", "command");
      await page.press("#expression", "Enter");
      await page.waitForFunction((wanted) => document.body.dataset.shown === wanted && !document.body.ariaBusy, String(stop.tick));
      const shown = await page.locator("#smMap .sm").evaluateAll((all) => all.map((sm) => [...sm.querySelectorAll("button")].map((one) => [one.textContent, one.getAttribute("aria-label")])));
      check(shown.length === 2 && shown.every((places) => places.length === 2), "two SMs with two places", shown);
      rows.forEach((row, i) => {
        const [text, label] = shown[Math.floor(i / 2)][i % 2];
        const holder = row[header.indexOf("Holder")];
        check(text === (holder === "-" ? "·" : holder) && label.includes(row[header.indexOf("State")]) && label.endsWith(`${row[header.indexOf("CTAs")]} CTAs, ${row[header.indexOf("Warps")]} warps`), "place", i, "at", tick, label, row);
        seen.add(holder);
      });
      await page.locator("#sms").screenshot({ path: path.join(folder, `places-${tick}.png`) });
    }
    check(seen.has("long") && seen.has("urgent"), "both contexts were seen there", [...seen]);
    await page.close();
  } finally {
    child.kill();
  }
}

(async () => {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  for (const name of ["contexts.yaml", "sums.s", "squares.s"]) fs.copyFileSync(path.join(inputs, name), path.join(folder, name));
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: [...(process.getuid() === 0 ? ["--no-sandbox"] : []), "--disable-gpu"] });
  const child = childProcess.spawn(path.resolve(debuggerPath), ["--contexts", "contexts.yaml", "--web", "--nx"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  try {
    const address = await new Promise((resolve) => child.stdout.once("data", (text) => resolve(String(text).match(/http:\S+/)[0])));
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(1000 * (process.env.LENO_TEST_PATIENCE || 60));
    const complaints = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(address);
    const shown = (text) => page.waitForFunction((wanted) => !document.body.ariaBusy && new RegExp(wanted).test(document.getElementById("status").textContent), text);
    const code = () => page.locator("#codeScroll").innerText();
    await page.click('[data-command="start"]');
    await shown("^start: context long, cta \\(0,0,0\\) warp 0");
    await page.waitForFunction(() => document.getElementById("contextButtons").children.length === 2);
    check((await code()).includes("sums"), "the code of the first context", await code());
    check((await page.locator("#ctaText").innerText()).startsWith("6 CTAs: 0 done, 2 running, 4 to come"), await page.locator("#ctaText").innerText());
    // A warp of another CTA, by the map.
    await page.click('#warpMap button[aria-label^="cta (1,0,0) warp 0"]');
    await shown("^in focus: context long, cta \\(1,0,0\\) warp 0");
    // The urgent one stops at its breakpoint, and is in focus then, with its own code.
    await page.fill("#expression", "context urgent");
    await page.selectOption("#evaluateKind", "command");
    await page.press("#expression", "Enter");
    await page.waitForFunction(() => /context urgent/.test(document.getElementById("log").textContent));
    await page.fill("#expression", "break squares");
    await page.press("#expression", "Enter");
    await page.waitForFunction(() => /Breakpoint 1/.test(document.getElementById("log").textContent));
    await page.evaluate(() => document.activeElement.blur());
    await page.click('[data-command="continue"]');
    await shown("^breakpoint: context urgent, cta \\(0,0,0\\) warp 0");
    await page.waitForFunction(() => /squares/.test(document.getElementById("codeScroll").textContent));
    check((await page.locator('#contextButtons [aria-pressed="true"]').innerText()) === "urgent", "the button of the context in focus");
    const stopped = Number(await page.locator("#tick").inputValue());
    await page.screenshot({ path: path.join(folder, "contexts.png"), fullPage: true });
    // To the other one by its button, and back in time.
    await page.click("#contextButtons button:first-child");
    await shown("^in focus: context long, cta");
    await page.waitForFunction(() => /sums/.test(document.getElementById("codeScroll").textContent));
    await page.locator("#tick").evaluate((slider) => {
      slider.value = "5";
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await page.waitForFunction(() => document.body.dataset.shown === "5" && !document.body.ariaBusy);
    await page.click('[data-command="continue"]');
    await shown("^breakpoint: context urgent");
    check(Number(await page.locator("#tick").inputValue()) === stopped, "the same moment again");
    check(!(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)), "wider than the window");
    check(complaints.length === 0, complaints);
    await checkPlaces(browser);
  } finally {
    await browser.close();
    child.kill();
  }
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
