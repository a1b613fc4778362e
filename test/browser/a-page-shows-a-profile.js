// report.html of leno-run --profile, opened as a file: it asks for nothing, complains of nothing, shows the counts that profile.json
// has, at 1280 and 400 pixels, light and dark; tables sort by click and by key, and #line-N leads to the line.
// RUN: %browser
const childProcess = require("child_process");
const fs = require("fs");
const path = require("path");

const [, , editorFolder, debuggerPath, , output] = process.argv;
const { chromium } = require(path.join(editorFolder, "node_modules/playwright-core"));
const check = (condition, ...words) => {
  if (!condition) throw new Error(["not as expected:", ...words.map((w) => (typeof w === "string" ? w : JSON.stringify(w)))].join(" "));
};

const kernel = `        .kernel few
        .param  ptr out
        S2R     R0, SR_TID.X;
        SHL     R1, R0, 5;              # a sector for each lane
        IADD    R1, R1, c[0][out];
        ISETP.lt P0, R0, 8;
  @P0   STG     [R1], R0;               # & </script><b>"
        LDG     R2, [R1];
        EXIT;
        .endkernel
`;

async function checkPage(browser, folder, width, colorScheme) {
  const name = `${width}-${colorScheme}`;
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => /^(file|data):/.test(request.url()) || complaints.push("asks for " + request.url()));
  await page.goto("file://" + path.join(folder, "p/report.html") + "#line-8");
  const chosen = page.locator("#line-8");
  check((await chosen.getAttribute("class")) === "chosen", "the line of the address");
  check(await chosen.evaluate((row) => row.getBoundingClientRect().top >= 0 && row.getBoundingClientRect().bottom <= innerHeight), "it is on the screen");

  // The counts are those of the file beside it.
  const profile = JSON.parse(fs.readFileSync(path.join(folder, "p/profile.json"), "utf8"));
  const [launch] = profile.launches;
  await page.selectOption("#heat", "sectors");
  for (const row of launch.lines) {
    const cells = (await page.locator(`#line-${row.line} > *`).allInnerTexts()).map((text) => text.trim());
    check(cells[1] === String(row.counts.sectors || ""), "sectors of line", row.line, cells);
    check(cells[3] === profile.sources[row.file][row.line - 1].trim(), "text of line", row.line, cells);
  }
  const summary = await page.locator("#summary").innerText();
  check(/sectors\s+144\b/.test(summary) && /sectors a request\s+24\.00/.test(summary), "summary:", summary);
  const cycles = await page.locator("#cycles").innerText();
  check(/issued: 28 \(/.test(cycles) && /wait for memory: \d/.test(cycles), "cycles:", cycles);

  // Sorting, by the mouse and by a key.
  const table = page.locator("#instructions table");
  const column = async () => (await table.locator("tbody tr > :first-child").allInnerTexts()).map((text) => parseInt(text, 16));
  const sorted = (values, sign) => values.every((value, i) => !i || sign * (value - values[i - 1]) >= 0);
  check(sorted(await column(), 1), "by address");
  const heading = table.locator("thead button").first();
  await heading.click();
  check(sorted(await column(), -1), "by address, backwards");
  await heading.press("Enter");
  check(sorted(await column(), 1), "by address again");
  check((await table.locator("thead th").first().getAttribute("aria-sort")) === "ascending", "what a screen reader is told");

  // Nothing stands outside of the page, and each table that is wider than it scrolls by itself and can be reached by keys.
  const outside = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  check(!outside, "the page is wider than", width);
  const reachable = await page.evaluate(() => [...document.querySelectorAll("table")].every((one) => one.querySelector("caption") && one.parentElement.tabIndex === 0 && one.parentElement.getAttribute("aria-label")));
  check(reachable, "a table without a caption or out of reach");
  const colours = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
  check(colours[0] > 200 === (colorScheme === "light"), "background", colours);
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: path.join(folder, name + ".png"), fullPage: true });
  check(complaints.length === 0, name, complaints);
  await page.close();
}

(async () => {
  const folder = path.resolve(output);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "few.s"), kernel);
  childProcess.execFileSync(
    path.join(path.dirname(path.resolve(debuggerPath)), "leno-run"),
    ["few.s", "--block", "64", "--grid", "2", "--arg", "zero:u32[1024]", "--profile", "p", "--set", "timing.model=cycles", "--set", "l2.model=slices"],
    { cwd: folder },
  );
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: [...(process.getuid() === 0 ? ["--no-sandbox"] : []), "--disable-gpu"] });
  try {
    for (const width of [1280, 400]) for (const colorScheme of ["light", "dark"]) await checkPage(browser, folder, width, colorScheme);
  } finally {
    await browser.close();
  }
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
