// A trap is told in the call stack and at its line; the way goes back from it; and what goes on from it ends and says why.
// RUN: %browser
const { run } = require("./editor.js");

const kernel = `        .kernel wild
        .param  ptr out
        S2R     R0, SR_LANEID;
        SHL     R1, R0, 2;
        ISETP.eq P0, R0, 5;
        IADD    R2, R1, c[0][out];
  @P0   IADD    R2, R2, 0x1000;
        STG     [R2], R0;       # lane 5 stores beyond the buffer
        EXIT;
        .endkernel
`;
const launch = {
  version: "0.2.0",
  configurations: [{ type: "leno", request: "launch", name: "wild", program: "${workspaceFolder}/wild.s", block: 64, args: ["out:u32[32]:print:"] }],
};

run({ files: { "wild.s": kernel, ".vscode/launch.json": JSON.stringify(launch) } }, async (editor) => {
  await editor.open("wild.s");
  await editor.key("F5");
  await editor.waitForLine(8);
  await editor.waitForRow("call-stack", /^CTA \(0,0,0\) warp 0, trapped ADDRESS_OUT_OF_RANGE$/i);
  await editor.waitForRow("variables", /^Lane 5$/);
  const words = await editor.until("why", async () => (await editor.texts(".exception-widget:visible")).find((text) => /ADDRESS_OUT_OF_RANGE/.test(text)));
  if (!/lane 5/.test(words)) throw new Error("the trap is told as: " + words);
  await editor.shoot("trap");
  await editor.press("step-back");
  await editor.waitForRow("call-stack", /stopped after a step back$/i);
  await editor.until("no trap", async () => (await editor.page.locator(".exception-widget:visible").count()) === 0);
  await editor.key("F5");
  await editor.waitForRow("call-stack", /ADDRESS_OUT_OF_RANGE$/i);
  await editor.key("F5");
  await editor.waitForEnd();
  await editor.until("why it ended", async () => /the kernel has ended with a trap: ADDRESS_OUT_OF_RANGE/.test(await editor.consoleText()));
  await editor.shoot("end");
});
