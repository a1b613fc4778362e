"""What --help names and a manual page or a completion lacks.  pages_have_options.py PAGES BIN
The names are read from the help that people see, not from what the pages are made of."""
import re
import subprocess
import sys
from pathlib import Path

pages, bin = Path(sys.argv[1]), Path(sys.argv[2])
tools, options, missing = ["as", "cc", "ld", "objdump", "run", "dbg", "bench"], 0, []


def words(path):
    return set(re.findall(r"[A-Za-z0-9?+-]+", re.sub(r"\\f[BIRP]", " ", path.read_text()).replace("\\-", "-")))


for tool in tools:
    name = "leno-" + tool
    helps = [subprocess.run([bin / name, "--help"], capture_output=True, text=True, check=True).stdout]
    texts = {"man": pages / "man/man1" / (name + ".1"), "bash": pages / "bash-completion/completions" / name,
             "fish": pages / "fish/vendor_completions.d" / (name + ".fish")}
    [texts["zsh"]] = (pages / "zsh").glob("*/_" + name)
    told = set(re.findall(r"(?m)^ {2}(?:-\w,)?(--[a-z][a-z0-9-]*)", helps[0]))
    options += len(told)
    for kind, path in texts.items():
        there = words(path)
        for option in sorted(told):
            # fish has names without dashes
            if option not in there and not (kind == "fish" and option[2:] in there):
                missing.append(f"{path.name} ({kind}) lacks {option}")
print("\n".join(missing))
print(f"{len(tools)} tools, {options} options, {len(missing)} missing")
sys.exit(bool(missing) or options < 50)
