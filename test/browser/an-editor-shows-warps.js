// The warp view as a panel of the editor: it shows what leno-dbg --json has at that tick, asked of another debugger; a step forth or
// back and a breakpoint in one of panel and editor are seen in the other; it ends with the session and goes on with the next one.
// Nothing complains, light and dark.
// RUN: %browser
const fs = require("fs");
const path = require("path");
const { run } = require("./editor.js");
const { check, folder, kernel, settings, compare, drag, checkLooks } = require("./warps.js");

const launch = {
  version: "0.2.0",
  configurations: [{ type: "leno", request: "launch", name: "parts", program: "${workspaceFolder}/parts.s", grid: 5, block: 64, args: ["zero:u32[64]"], set: settings, stopOnEntry: true }],
};
const files = { "parts.s": kernel, ".vscode/launch.json": JSON.stringify(launch) };

run({ files, settings: { "workbench.colorTheme": "Default Light Modern" } }, async (editor) => {
  fs.writeFileSync(path.join(folder, "parts.s"), kernel); // for the other debugger
  const complaints = [];
  // All but what the editor's own scripts say, and says of their frames.
  const isOfEditor = (message) => /^http(?!.*\/webview\/)/.test(message.location().url) || /^An iframe which has both allow-scripts and allow-same-origin/.test(message.text());
  editor.page.on("console", (message) => /error|warning/.test(message.type()) && !isOfEditor(message) && complaints.push(message.text()));
  editor.page.on("pageerror", (error) => /\/workbench/.test(error.stack) || complaints.push(error.stack));
  await editor.open("parts.s");
  await editor.key("F5");
  await editor.waitForLine(3);
  await editor.command("Leno: Show Warps");
  const open = () =>
    editor.until("the panel", async () => {
      for (const frame of editor.page.frames()) if (await frame.locator("#tick").count()) return frame;
    });
  const panel = await open();
  const status = (pattern) => editor.until(`${pattern} in the panel`, async () => pattern.test(await panel.locator("#status").innerText()));
  await status(/^start: cta \(0,0,0\) warp 0/);
  await compare(panel, 0);
  await panel.evaluate(() => console.error("heard"));
  await editor.until("what the panel complains of", () => complaints.includes("heard"));
  // What its policy forbids is not done.
  const loads = await panel.evaluate((address) => fetch(address).then(() => true, () => false), editor.page.url());
  const runs = await panel.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.hasRun = true";
    document.body.append(script);
    return Boolean(window.hasRun);
  });
  check(!loads && !runs, "the panel loads", loads, "runs", runs);
  await editor.until("both complaints", () => complaints.filter((text) => /Content Security Policy/.test(text)).length >= 2);
  complaints.length = 0;

  // A click on the dot of a line sets a breakpoint, which the editor shows.
  const point = (line) => panel.locator(`#line-${line} button`);
  const isSet = (line, wanted) => editor.until(`breakpoint ${wanted} at ${line}`, async () => (await point(line).getAttribute("aria-pressed")) === String(wanted));
  await point(13).click();
  await isSet(13, true);
  await editor.waitForBreakpoints(13);
  await editor.press("continue");
  await editor.waitForLine(13);
  await status(/^breakpoint: cta \(0,0,0\) warp 0/);
  const stopped = Number(await panel.locator("#tick").inputValue());
  const truth = await compare(panel, stopped);
  check(truth.stack.length >= 2, "a stack to be seen", truth.stack);
  check(/here/.test(await panel.locator("#line-13").getAttribute("class")), "the line of the stop");

  // Steps in the panel, then of the editor, back by either.
  await panel.click('[data-command="stepi"]');
  await editor.waitForLine(14);
  await compare(panel, stopped + 1);
  await editor.key("F10");
  await editor.waitForLine(15);
  await compare(panel, stopped + 2);
  await editor.press("step-back");
  await editor.waitForLine(14);
  await compare(panel, stopped + 1);
  await panel.click('[data-command="reverse-stepi"]');
  await editor.waitForLine(13);
  await compare(panel, stopped);
  await drag(panel, 4);
  await editor.waitForLine(7);
  await compare(panel, 4, stopped);
  await drag(panel, stopped);
  await editor.waitForLine(13);

  // What the editor sets and takes away, the panel's own among it, is seen in the panel.
  await editor.clickBreakpoint(16);
  await isSet(16, true);
  await editor.clickBreakpoint(13);
  await isSet(13, false);
  await point(16).click();
  await isSet(16, false);
  await editor.waitForBreakpoints();

  // As it looks, in the colours of the editor.
  for (const colours of ["light", "dark"]) {
    await editor.until(`the panel is ${colours}`, async () => (await panel.evaluate(() => document.documentElement.dataset.theme)) === colours);
    await checkLooks(panel, colours, colours, complaints);
    await panel.evaluate(() => scrollTo(0, 0));
    await editor.shoot(`panel ${colours}`);
    await panel.evaluate(() => document.getElementById("warps").scrollIntoView());
    await editor.shoot(`panel ${colours} below`);
    if (colours === "light") await editor.command("Preferences: Toggle between Light/Dark Themes");
  }

  // The end of the session is said; the next one goes on in the same panel.
  await editor.press("stop");
  await editor.waitForEnd();
  await status(/^the debug session has ended$/);
  check(await panel.locator('[data-command="stepi"]').isDisabled(), "nothing can be stepped");
  await editor.key("F5");
  await editor.waitForLine(3);
  const next = await open();
  await editor.until("the next session in the panel", async () => /^start: cta/.test(await next.locator("#status").innerText()));
  await compare(next, 0);
  await next.click('[data-command="stepi"]');
  await editor.waitForLine(4);
  check((await editor.page.locator('.tab[aria-label*="Leno: warps"]').count()) === 1, "one panel");
  await editor.press("stop");
  await editor.waitForEnd();
  check(complaints.length === 0, complaints);
});
