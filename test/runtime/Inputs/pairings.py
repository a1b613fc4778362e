"""Gives every output of every tool the name of each file that the same run reads, and of each other output, in
every spelling: all are refused before a byte is written. Usage: pairings.py BIN-FOLDER EMPTY-FOLDER"""
import os
import subprocess
import sys

bin_folder, folder = sys.argv[1:]
os.makedirs(folder)
os.chdir(folder)

KERNEL = '.include "part.inc"\n.kernel k\n.param ptr a\n.param ptr b\n  EXIT\n.endkernel\n'
FILES = {
    "k.s": KERNEL,
    "part.inc": '.global\n.incbin "blob"\n',
    "blob": "12345678",
    "one.s": ".kernel one\n  EXIT\n.endkernel\n",
    "in.bin": "abcd",
    "m.yaml": "sm.count: 2\n",
    "script": "run\n",
    "c.yaml": 'contexts:\n - name: a\n   buffers: { x: "in:in.bin", y: "inout:in2.bin:OUT" }\n'
              '   stream: [ { launch: k.s, args: [x, y] } ]\n',
    "in2.bin": "efgh",
}

# A command, the files it reads, and its outputs: words in it, or in a file it reads. "=" marks an output that the
# command makes when it is left alone; the rest stand for themselves.
COMMANDS = [
    ("leno-as k.s -o {o} -l {l}", ["k.s", "part.inc", "blob"], ["o", "l"]),
    ("leno-as -c k.s -o {o}", ["k.s", "part.inc", "blob"], ["o"]),
    ("leno-as k.s --show-encoding -o {o}", ["k.s", "part.inc", "blob"], ["o"]),
    ("leno-ld a.o b.o -o {o}", ["a.o", "b.o"], ["o"]),
    ("leno-run k.s --machine m.yaml --arg in:in.bin --arg out:u8[4]:{y.bin} --trace {t}",
     ["k.s", "part.inc", "blob", "m.yaml", "in.bin"], ["y.bin", "t"]),
    ("leno-run k.s --arg inout:in.bin:{y.bin} --arg inout:in2.bin:{z.bin} --trace {t}",
     ["k.s", "part.inc", "blob", "in.bin", "in2.bin"], ["y.bin", "z.bin", "t"]),
    ("leno-run k.out --arg in:in.bin --arg out:u8[4]:{y.bin} --timeline {t}", ["k.out", "in.bin"], ["y.bin", "t"]),
    ("leno-run --contexts {c.yaml} --machine m.yaml --trace {t}",
     ["k.s", "part.inc", "blob", "m.yaml", "in.bin"], ["t"]),
    ("leno-dbg k.s --machine m.yaml --arg in:in.bin --arg out:u8[4]:{y.bin} -x script --batch",
     ["k.s", "part.inc", "blob", "m.yaml", "in.bin", "script"], ["y.bin"]),
    ("leno-bench stack-cache --json {j} --plot {p}", [], ["j", "p"]),
]
# `inout:F:G` where F is G is meant.
MEANT = {("in.bin", "y.bin", "inout:in.bin:"), ("in2.bin", "z.bin", "inout:in2.bin:")}


def lay_out():
    for name in os.listdir("."):
        os.unlink(name)
    for name, text in FILES.items():
        with open(name, "w") as file:
            file.write(text.replace("OUT", "out.bin"))
    for name, command in {"a.o": "leno-as -c one.s -o a.o", "k.out": "leno-as k.s -o k.out"}.items():
        run(command)
    with open("two.s", "w") as file:
        file.write(".kernel two\n  EXIT\n.endkernel\n")
    run("leno-as -c two.s -o b.o")


def run(command, standard_output=subprocess.PIPE):
    words = command.split()
    return subprocess.run([os.path.join(bin_folder, words[0])] + words[1:], stdin=subprocess.DEVNULL,
                          stdout=standard_output, stderr=subprocess.PIPE, text=True)


def contents():
    return {name: open(name, "rb").read() if os.path.exists(name) else os.readlink(name) for name in os.listdir(".")}


def spellings(name, ending):
    """Names of one file: as it is, by another path, and by links. Those of data keep an ending."""
    yield name
    yield "./" + name
    yield os.path.join(os.getcwd(), name)
    yield "../" + os.path.basename(os.getcwd()) + "/" + name
    for make, link in ((os.symlink, "soft"), (os.link, "hard")):
        if os.path.exists(name):
            make(name, link + ending)
            yield link + ending
            if os.path.lexists(link + ending):
                os.unlink(link + ending)


def fill(command, outputs):
    for word in COMMAND_OUTPUTS:
        command = command.replace("{" + word + "}", outputs.get(word, "new-" + word))
    return command


failed = tried = 0


def expect_refusal(command, before, standard_output=subprocess.PIPE):
    global failed, tried
    tried += 1
    result = run(command, standard_output)
    if result.returncode not in (1, 2) or "cannot write" not in result.stderr or contents() != before:
        failed += 1
        print("not refused:", command, result.returncode, result.stderr)
        lay_out()


lay_out()
for command, inputs, outputs in COMMANDS:
    COMMAND_OUTPUTS = outputs + (["c.yaml"] if "c.yaml" in command else [])
    if "c.yaml" in command:
        command = command.replace("{c.yaml}", "c.yaml")
    if "stack-cache" not in command:  # left alone, it works
        result = run(fill(command, {}))
        if result.returncode:
            failed += 1
            print("failed:", fill(command, {}), result.stderr)
        lay_out()
    for output in outputs:
        ending = os.path.splitext(output)[1]
        for name in inputs:
            if any(name == meant and output == to and mark in command for meant, to, mark in MEANT):
                continue
            # Data go to files of known endings: those that are none of them are reached by a link.
            for spelling in spellings(name, ending):
                if ending and not spelling.endswith(ending):
                    continue
                # A link that is there while the command runs is no file that it has made.
                expect_refusal(fill(command, {output: spelling}), contents())
        for other in outputs:
            if other == output:
                continue
            shared = "shared" + (ending or os.path.splitext(other)[1])
            for spelling in spellings(shared, ending):
                expect_refusal(fill(command, {output: spelling, other: shared}), contents())

# A context file's outputs.
for target in ["k.s", "in.bin", "c.yaml", "m.yaml", "out.bin"]:
    os.symlink(target, "link.bin")
    text = FILES["c.yaml"].replace("OUT", "link.bin")
    if target == "out.bin":
        text = text.replace("in:in.bin", "out:u8[4]:out.bin")
    with open("c.yaml", "w") as file:
        file.write(text)
    expect_refusal("leno-run --contexts c.yaml --machine m.yaml", contents())
    expect_refusal("leno-dbg --contexts c.yaml --machine m.yaml --batch", contents())
    if os.path.lexists("link.bin"):
        os.unlink("link.bin")
    lay_out()

# What goes to standard output, when the shell appends that to a file that is read.
for command, inputs in [
        ("leno-run k.s --json --arg in:in.bin --arg zero:u8[1]", ["k.s", "part.inc", "blob", "in.bin"]),
        ("leno-run k.s --stats --machine m.yaml --arg in:in.bin --arg zero:u8[1]", ["k.s", "m.yaml", "in.bin"]),
        ("leno-run k.s --arg inout:in.bin:print: --arg zero:u8[1]", ["k.s", "part.inc", "blob", "in.bin"]),
        ("leno-run k.s --arg zero:u8[1] --arg out:u8[4]:print:", ["k.s", "part.inc", "blob"]),
        ("leno-dbg k.s --arg in:in.bin --arg zero:u8[1] -x script --batch", ["k.s", "blob", "in.bin", "script"]),
]:
    for name in inputs:
        with open(name, "ab") as standard_output:
            expect_refusal(command, contents(), standard_output)

# Meant: a buffer back into its own file, and devices as often as one likes.
os.link("in.bin", "same.bin")
for command in ["leno-run k.s --arg inout:in.bin:in.bin --arg zero:u8[1]",
                "leno-run k.s --arg inout:in.bin:./in.bin --arg zero:u8[1]",
                "leno-run k.s --arg inout:in.bin:same.bin --arg zero:u8[1]",
                "leno-run k.s --arg out:u8[4]:/dev/null --arg out:u8[4]:/dev/null --trace /dev/null",
                "leno-run k.s --arg in:in.bin --arg in:in.bin",
                "leno-as k.s -o /dev/null -l /dev/null"]:
    result = run(command)
    tried += 1
    if result.returncode:
        failed += 1
        print("refused:", command, result.stderr)

print(f"{tried} tried, {failed} failed")
sys.exit(bool(failed))
