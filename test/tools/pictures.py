#!/usr/bin/env python3
"""Makes the pictures of the documentation again, with the tools themselves.

    test/tools/pictures.py .build/release/bin                     the terminal's, as SVG
    test/tools/pictures.py .build/release/bin --browser FOLDER    the page's too, as PNG: FOLDER is what test/browser/prepare prints
    test/tools/pictures.py .build/release/bin --check             whether the terminal's is current; a test runs this

The terminal's is drawn from what leno-dbg writes to a terminal of 80 columns, and depends on nothing else.
"""
import argparse, os, subprocess, sys, tempfile
from html import escape

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
sys.path.insert(0, os.path.join(root, "test/dbg/Inputs"))
from screen import Screen

kernel = """\
        .kernel parts
        .param  ptr out
        S2R     R0, SR_LANEID;
        ISETP.lt P0, R0, 20;
        SSY     meet;
    @P0 BRA     low;
        IADD    R1, R0, 100;
        SYNC;
low:    AND     R1, R0, 3;
        PBK     out_of;
loop:   ISETP.eq P1, R1, 0;
    @P1 BRK;
        IADD    R2, R2, R1;
        IADD    R1, R1, -1;
        BRA     loop;
out_of: SYNC;
meet:   SHL     R3, R0, 2;
        IADD    R3, R3, c[0][out];
        STG     [R3], R2;
        EXIT;
        .endkernel
"""
launch = ["parts.s", "--block", "32", "--arg", "zero:u32[32]", "--nx"]


def svg(screen, title):
    """Cells as they stand: runs of one style are one text, which is as wide as its cells."""
    width, height, margin = 8, 17, 10
    colours = {"33": "#e5c07b", "31": "#e06c75", "32": "#98c379"}
    parts = []
    for row, cells in enumerate(screen.cells):
        column = 0
        while column < screen.columns:
            style = screen.styles.get((row, column), "")
            end = column
            while end < screen.columns and screen.styles.get((row, end), "") == style:
                end += 1
            text, numbers = "".join(cells[column:end]), style.split("+")
            isReverse = "7" in numbers
            x, y = margin + column * width, margin + row * height
            if isReverse:
                parts.append('<rect x="%d" y="%d" width="%d" height="%d" fill="#abb2bf"/>' % (x, y, (end - column) * width, height))
            colour = "#282c34" if isReverse else next((colours[n] for n in numbers if n in colours), "#7f848e" if "2" in numbers else "#dcdfe4")
            while text.strip():
                blanks = len(text) - len(text.lstrip())
                word = text.lstrip()
                cut = word.find("  ")
                word = word if cut < 0 else word[:cut]
                word = word.rstrip()
                parts.append('<text x="%d" y="%d" textLength="%d" fill="%s"%s>%s</text>' % (x + blanks * width, y + 13, len(word) * width, colour, ' font-weight="bold"' if "1" in numbers else "", escape(word)))
                x += (blanks + len(word)) * width
                text = text[blanks + len(word) :]
            column = end
    w, h = 2 * margin + screen.columns * width, 2 * margin + screen.rows * height
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="13">' % (w, h, w, h)
    return "\n".join([head, "<title>%s</title>" % escape(title), '<rect width="%d" height="%d" rx="6" fill="#282c34"/>' % (w, h), *parts, "</svg>", ""])


def terminal(tools, folder):
    os.environ.pop("NO_COLOR", None)
    screen = Screen([os.path.join(tools, "leno-dbg"), *launch], TERM="xterm", HOME=folder)
    screen.prompt()
    for line in ("break loop", "run", "layout", "continue", "stepi 3", "print R2[7]"):
        screen.enter(line)
    picture = svg(screen, "leno-dbg on a terminal: the source, the lanes, and the divergence stack of a warp that has parted twice")
    screen.leave()
    return picture


page = """
const { chromium } = require(process.argv[2] + "/node_modules/playwright-core");
(async () => {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: [...(process.getuid() === 0 ? ["--no-sandbox"] : []), "--disable-gpu"], timeout: 0 });
  const page = await browser.newPage({ viewport: { width: 1240, height: 836 }, colorScheme: "light" });
  page.setDefaultTimeout(0); // a machine that has much else to do needs long
  page.setDefaultTimeout(0); // on a machine that has much else to do, too
  await page.goto("file://" + process.argv[3]);
  await page.waitForFunction(() => document.body.dataset.shown !== undefined);
  await page.screenshot({ path: process.argv[4] });
  await browser.close();
})();
"""


def browser(tools, folder, editor, to):
    subprocess.run([os.path.join(tools, "leno-dbg"), *launch], input="break loop\nrun\ncontinue\nstepi 3\nexport parts.html 40\n", text=True, stdout=subprocess.DEVNULL, check=True)
    with open("shoot.js", "w") as file:
        file.write(page)
    subprocess.run([os.path.join(editor, "node"), "shoot.js", editor, os.path.join(folder, "parts.html"), to], check=True)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("tools", help="the folder with leno-dbg")
parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 when a picture would change")
parser.add_argument("--browser", metavar="FOLDER", help="take the page's as well")
options = parser.parse_args()
tools = os.path.abspath(options.tools)
path = os.path.join(root, "dbg/terminal/layout.svg")
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    with open("parts.s", "w") as file:
        file.write(kernel)
    picture = terminal(tools, folder)
    if options.check:
        with open(path) as file:
            if file.read() != picture:
                sys.exit("%s is not what leno-dbg shows now: test/tools/pictures.py makes it again" % os.path.relpath(path, root))
    else:
        with open(path, "w") as file:
            file.write(picture)
        if options.browser:
            browser(tools, folder, os.path.abspath(options.browser), os.path.join(root, "dbg/web/warps.png"))
