// The warp view, live and exported, at 1280 and 400 pixels, light and dark: a click sets a breakpoint, keys step, the time axis is
// dragged back; masks, lanes and registers are those that leno-dbg --json has at that tick, asked of another debugger. Nothing
// complains, nothing is fetched from elsewhere, and nothing stands outside of the page.
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
