// Without a launch.json F5 debugs the file at hand from its first instruction on, and Ctrl+F5 runs it without a stop.
// RUN: %browser
const { run, check } = require("./editor.js");

const kernel = `        .kernel short
        S2R     R0, SR_LANEID;
        IADD    R0, R0, 1;
        EXIT;
        .endkernel
`;
const opencl = `kernel void short_one(void) {
  volatile int sum = 0;
  sum += get_local_id(0);
}
`;

run({ files: { "short.s": kernel, "short.cl": opencl } }, async (editor) => {
  await editor.open("short.s");
  await editor.page.locator(".monaco-editor .view-line").first().click();
  await editor.clickBreakpoint(3);
  await editor.key("F5");
  await editor.waitForLine(2);
  await editor.shoot("entry");
  await editor.key("F5");
  await editor.waitForLine(3);
  await editor.key("Shift+F5");
  await editor.waitForEnd();
  const before = editor.asked().length;
  await editor.asks(/"command":"disconnect"/, () => editor.key("Control+F5"));
  const asked = editor.asked().slice(before);
  check(/"noDebug":true/.test(asked), "asked:", asked);
  check(!/"command":"stackTrace"/.test(asked), "it stopped:", asked);
  await editor.shoot("end");

  // The same for OpenCL C.
  await editor.key("Control+Shift+E");
  await editor.open("short.cl");
  await editor.page.locator(".monaco-editor .view-line").first().click();
  await editor.clickBreakpoint(3);
  await editor.key("F5");
  await editor.waitForLine(2);
  await editor.key("F5");
  await editor.waitForLine(3);
  await editor.shoot("opencl");
  await editor.key("Shift+F5");
  await editor.waitForEnd();
});
