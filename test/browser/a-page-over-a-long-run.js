// A grid of 100,000 CTAs and 10^9 warp instructions on the page: how soon it is there, answers a drag and shows that moment, and what
// memory it takes. It prints the figures, and fails where one is more than the page promises (dbg/web/WarpView.md).
//   LENO_TEST_LONG=1 LENO_TEST_EDITOR=$(test/browser/prepare) lit -v --filter browser/a-page-over-a-long-run BUILD/test
// Minutes, on a machine that does nothing else; it is left out otherwise.
// RUN: %browser
const childProcess = require("child_process");
const fs = require("fs");
const path = require("path");

const [, , editorFolder, debuggerPath] = process.argv;
const { chromium } = require(path.join(editorFolder, "node_modules/playwright-core"));
const { check, folder } = require("./warps.js");
const patience = 1000 * (process.env.LENO_TEST_PATIENCE || 1200);

// 4 instructions in each of 2,500 turns, 13 around them.
const kernel = `        .kernel long
        .param  ptr out
        S2R     R0, SR_CTAID.X;
        S2R     R1, SR_LANEID;
        MOV     R2, 2500;
        MOV     R3, 0;
loop:   IADD    R3, R3, R1;
        IADD    R2, R2, -1;
        ISETP.ne P0, R2, 0;
    @P0 BRA     loop;
        AND     R0, R0, 255;
        SHL     R0, R0, 2;
        IADD    R0, R0, c[0][out];
        STG     [R0], R3;
        EXIT;
        .endkernel
`;
const promised = { paint: 1000, answer: 300, shown: 2000, megabytes: 300 };

/// Milliseconds until the page has said where it goes, and until it shows that moment.
async function timeDrag(page, tick) {
  const shown = page.waitForFunction((wanted) => document.body.dataset.shown === wanted && !document.body.ariaBusy, String(tick), { polling: 20 });
  const begun = Date.now();
  const answer = await page.evaluate((wanted) => {
    const slider = document.getElementById("tick");
    const before = performance.now();
    slider.value = String(wanted);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(document.getElementById("tickText").textContent.includes(` ${wanted} `) ? performance.now() - before : Infinity))));
  }, tick);
  await shown;
  return { answer, shown: Date.now() - begun };
}

const megabytesOf = (pid) => 1.024e-3 * Number(fs.readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s*(\d+)/)[1]);
/// Of the largest of the browser's processes that draw pages, in 10^6 bytes: all of it, with what it shares.
async function megabytesOfPage(browser) {
  const { processInfo } = await (await browser.newBrowserCDPSession()).send("SystemInfo.getProcessInfo");
  return Math.max(...processInfo.filter(({ type }) => type === "renderer").map(({ id }) => megabytesOf(id)));
}

(async () => {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "long.s"), kernel);
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: [...(process.getuid() === 0 ? ["--no-sandbox"] : []), "--disable-gpu"] });
  const launch = ["long.s", "--grid", "100000", "--block", "32", "--arg", "zero:u32[256]", "--max-instructions", "0", "--web", "--nx"];
  const child = childProcess.spawn(path.resolve(debuggerPath), launch, { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  try {
    const address = await new Promise((resolve) => child.stdout.once("data", (text) => resolve(String(text).match(/http:\S+/)[0])));
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(patience);
    await page.goto(address);
    const begun = Date.now();
    await page.click('[data-command="run"]');
    await page.waitForFunction(() => /^finished/.test(document.getElementById("status").textContent) && !document.body.ariaBusy, null, { polling: 100 });
    const end = Number(await page.locator("#tick").inputValue());
    console.log(`${end} ticks in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
    check(end > 1e9, "ticks", end);
    await page.reload();
    await page.waitForFunction((wanted) => document.body.dataset.shown === wanted, String(end));
    const paint = await page.evaluate(() => performance.getEntriesByType("paint").find((one) => one.name === "first-contentful-paint").startTime);
    console.log(`first paint ${paint.toFixed(0)} ms`);
    const worst = { paint, answer: 0, shown: 0 };
    for (const part of [0.999, 0.9, 0.5, 0.1, 0.01, 0.3, 0.7, 0.2, 0.95, 0.6]) {
      const tick = Math.floor(end * part);
      const { answer, shown } = await timeDrag(page, tick);
      console.log(`to tick ${tick}: answers in ${answer.toFixed(0)} ms, shows it after ${shown} ms`);
      worst.answer = Math.max(worst.answer, answer);
      worst.shown = Math.max(worst.shown, shown);
    }
    worst.megabytes = await megabytesOfPage(browser);
    console.log(`memory of the page's process ${worst.megabytes.toFixed(0)} MB, of the debugger ${megabytesOf(child.pid).toFixed(0)} MB`);
    await page.screenshot({ path: path.join(folder, "long.png"), fullPage: true });
    for (const [name, most] of Object.entries(promised)) check(worst[name] < most, name, worst[name], "the most is", most);
  } finally {
    await browser.close();
    child.kill();
  }
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
