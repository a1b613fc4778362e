// A wrong kernel in C is found as the tutorial finds it: stepping lines of C, looking at a variable over 32 lanes, and going back to who
// wrote it. Values follow from the source: lane 5 has 5 * 31 = 155, until the fourth turn of the loop, k = 3, writes behind its array.
// RUN: %browser
const childProcess = require("child_process");
const path = require("path");
const { run, debuggerPath } = require("./editor.js");

const kernel = `#include <leno/kernel.h>

// Each thread adds the three digits of its number: out = 1000 * digits' sum + number.
__kernel void digits(__global int *out) {
  int t = (int)leno_tid_x();
  int sum = 0, number = t * 31;
  int digit[3];
  int rest = number;
  for (int k = 0; k <= 3; ++k) {
    digit[k] = rest % 10;
    rest /= 10;
  }
  for (int k = 0; k < 3; ++k)
    sum += digit[k];
  out[t] = sum * 1000 + number;
}
`;
const launch = {
  version: "0.2.0",
  configurations: [{ type: "leno", request: "launch", name: "digits", program: "${workspaceFolder}/digits.elf", block: 32, args: ["out:i32[32]:print:"] }],
};

run({ files: { "digits.c": kernel, ".vscode/launch.json": JSON.stringify(launch) } }, async (editor) => {
  const compiler = path.join(path.dirname(debuggerPath), "leno-cc");
  childProcess.execFileSync(compiler, ["-g", "-O0", "digits.c", "-o", "digits.elf"], { cwd: path.join(editor.folder, "work") });
  await editor.open("digits.c");
  await editor.clickBreakpoint(5);
  await editor.key("F5");
  await editor.waitForLine(5);
  await editor.waitForRow("call-stack", /^digits, lanes 0-31/);
  await editor.key("F10");
  await editor.waitForLine(6);
  await editor.key("F10");
  await editor.waitForLine(8);
  await editor.waitForRow("variables", /^number = 0\b/);
  await editor.clickBreakpoint(5);
  await editor.clickBreakpoint(15);
  await editor.key("F5");
  await editor.waitForLine(15);
  await editor.shoot("stop");

  // Over 32 lanes: the numbers are missing, the sums are there (0, 4 = 3 + 1, 8 = 6 + 2, ...).
  await editor.type("print number[*lanes]");
  await editor.type("print sum[*lanes]");
  const zeros = Array.from({ length: 32 }, (_, lane) => `[${lane}] = 0`).join(", ");
  await editor.until("the numbers", async () => (await editor.consoleText()).includes(`number[*lanes] = {${zeros}}`));
  await editor.until("the sums", async () => (await editor.consoleText()).includes("sum[*lanes] = {[0] = 0, [1] = 4, [2] = 8, [3] = 12, [4] = 7, [5] = 11,"));
  await editor.type("lane 5");
  await editor.waitForRow("variables", /^t = 5\b/);
  await editor.waitForRow("variables", /^number = 0\b/);
  await editor.shoot("lanes");

  // Back to who wrote it.
  await editor.asks(/"command":"setDataBreakpoints"/, () => editor.choose("variables", /^number = 0/, "Break on Value Change"));
  await editor.press("reverse-continue");
  await editor.waitForLine(11);
  await editor.waitForRow("variables", /^k = 3\b/);
  await editor.shoot("writer");
  await editor.type("print &digit[k] == &number");
  await editor.until("whether it is the array's end", async () => /= true$/m.test(await editor.consoleText()));
  await editor.key("Shift+F5");
  await editor.waitForEnd();
});
