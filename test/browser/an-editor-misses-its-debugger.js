// A setting that names no program says so and leads to itself.
// RUN: %browser
const { run } = require("./editor.js");

const expected = /^The setting leno\.debugger names '\/nowhere\/leno-dbg', and there is no such program\./;

run({ files: { "short.s": "        .kernel short\n        EXIT;\n        .endkernel\n" }, settings: { "leno.debugger": "/nowhere/leno-dbg" }, expected }, async (editor) => {
  await editor.open("short.s");
  await editor.page.locator(".monaco-editor .view-line").first().click();
  await editor.key("F5");
  await editor.until("the message", async () => (await editor.toasts()).length > 0);
  await editor.shoot("message");
  await editor.page.locator(".notification-toast a.monaco-button", { hasText: "Open Settings" }).click();
  await editor.until("the setting", async () => (await editor.texts(".settings-editor .setting-item-contents")).some((text) => /Leno: Debugger/.test(text)));
  await editor.shoot("settings");
});
