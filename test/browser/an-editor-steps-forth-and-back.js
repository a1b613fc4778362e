// A click sets a breakpoint, F5 stops there; threads, variables and lanes are shown; steps go forth and back; the mouse over a
// register shows its value, and over a comment nothing; the disassembly goes to before the first instruction; and it runs to its end.
// RUN: %browser
const { run, check } = require("./editor.js");

const kernel = `# Each thread adds up the numbers below its own.
        .kernel sums
        .param  ptr out
        S2R     R0, SR_TID.X;
        MOV     R1, 0;
        MOV     R2, R0;
        PBK     done;
loop:   ISETP.eq P0, R2, 0;     # the counter of this lane
    @P0 BRK;
        IADD    R1, R1, R2;
        IADD    R2, R2, -1;
        BRA     loop;
done:   SHL     R3, R0, 2;
        IADD    R3, R3, c[0][out];
        STG     [R3], R1;
        EXIT;
        .endkernel
`;
const launch = {
  version: "0.2.0",
  configurations: [{ type: "leno", request: "launch", name: "sums", program: "${workspaceFolder}/sums.s", block: 64, args: ["out:u32[64]:print:"] }],
};

run({ files: { "sums.s": kernel, ".vscode/launch.json": JSON.stringify(launch) } }, async (editor) => {
  const folds = editor.page.locator(".editor-instance .margin .codicon-folding-expanded");
  await editor.open("sums.s");
  await editor.clickBreakpoint(10);
  await editor.shoot("breakpoint");
  // A kernel can be folded; what happens to be indented cannot.
  await editor.until("one place to fold", async () => (await folds.count()) === 1);

  await editor.key("F5");
  await editor.waitForLine(10);
  await editor.waitForRow("call-stack", /^CTA \(0,0,0\) warp 0 stopped at a breakpoint$/i);
  await editor.waitForRow("call-stack", /^CTA \(0,0,0\) warp 1/);
  await editor.waitForRow("call-stack", /^loop\+0x10, lanes 1-31/);
  await editor.waitForRow("variables", /^R2 = 1\b/);
  await editor.shoot("stop");

  await editor.key("F10");
  await editor.waitForLine(11);
  await editor.waitForRow("call-stack", /warp 0 stopped after a step$/i);
  await editor.waitForRow("variables", /^R1 = 1\b/);
  await editor.press("step-back");
  await editor.waitForLine(10);
  await editor.waitForRow("call-stack", /warp 0 stopped after a step back$/i);
  await editor.waitForRow("variables", /^R1 = 0\b/);
  await editor.shoot("step back");

  // What each lane does.
  await editor.clickRow("variables", /^Lane 1$/);
  await editor.clickRow("variables", /^Parameters$/);
  await editor.waitForRow("variables", /^out = 0x[0-9a-f]+$/);
  await editor.clickRow("variables", /^Lanes$/);
  await editor.waitForRow("variables", /^lane 0 = waiting/);
  await editor.shoot("lanes");

  // The mouse over a register, and over a word of a comment.
  await editor.asks(/"context":"hover"/, () => editor.hover("counter"));
  await editor.asks(/"context":"hover"/, () => editor.hover("R2"));
  const hover = await editor.until("the value under the mouse", async () => (await editor.texts(".debug-hover-widget:visible"))[0]);
  check(/^1\b/.test(hover), "hover:", hover);
  await editor.shoot("hover");

  await editor.command("Open Disassembly View");
  const code = ".editor-instance .monaco-table .monaco-list-row";
  await editor.until("the instruction", async () => (await editor.texts(code)).some((row) => /IADD R1, R1, R2/.test(row)));
  await editor.shoot("disassembly");
  // Up to where no instruction is, page after page.
  await editor.page.locator(".editor-instance .monaco-table").hover();
  await editor.asks(/"command":"disassemble"[^}]*"instructionOffset":-[1-9]/, () =>
    editor.until("what is before", async () => {
      await editor.page.mouse.wheel(0, -20000);
      const [first] = await editor.texts(code);
      return /^-\d+$/.test(first) && Number(first) < -1800;
    }),
  );
  const numbers = (await editor.texts(code)).map((row) => Number(row.split(" ")[0]));
  check(numbers.every((number, i) => i === 0 || number === numbers[i - 1] + 8), "addresses:", numbers);
  await editor.shoot("before the first instruction");
  await editor.key("Control+w");

  await editor.waitForLine(10);
  await editor.clickBreakpoint(10);
  await editor.key("F5");
  await editor.waitForEnd();
  await editor.until("the output", async () => /out: u32\[64\]/.test(await editor.consoleText()));
  await editor.shoot("end");
});
