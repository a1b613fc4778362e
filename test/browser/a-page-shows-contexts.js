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
  } finally {
    await browser.close();
    child.kill();
  }
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
