"""What the examples' host sides share: running leno-run, and telling a check's outcome."""
import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def arguments(description, *extra):
    """--bin: where leno-run is; --out: where results go; and (name, default, help) extras."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--bin", default=os.path.join(HERE, "..", ".build", "release", "bin"))
    parser.add_argument("--out", default=os.path.join(HERE, "..", "out"))
    for name, default, text in extra:
        parser.add_argument(name, nargs="?", default=default, help=text)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    return options


def leno_examples(options, name, *args):
    """Runs a host program of the examples and gives what it printed; ends the example when it fails."""
    command = [os.path.join(options.bin, "leno-examples"), name, *map(str, args)]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit(f"{name}: leno-examples ended with status {result.returncode}")
    return result.stdout


def leno_run(options, kernel, *launch):
    """Runs a kernel with statistics; ends the example when it fails."""
    command = [os.path.join(options.bin, "leno-run"), os.path.join(HERE, kernel), *map(str, launch), "--stats"]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit(f"{kernel}: leno-run ended with status {result.returncode}")
    wanted = ("CTAs", "warps", "warp instructions", "lane operations", "SIMT efficiency", "divergent branches",
              "max stack depth")
    for line in result.stdout.splitlines():
        if line.rsplit(maxsplit=1)[0] in wanted:
            print("  " + line)
        if line.startswith("warp instructions by kind"):
            break


def expect(name, right, how="equal to the reference, every bit"):
    """One line for a check against the independent reference; ends the example when it is wrong."""
    if not right:
        sys.exit(f"{name}: WRONG: the result differs from the reference")
    print(f"  {name}: {how}")


def read_pnm(path):
    """A binary .pgm or .ppm as (height, width, channels, bytes): our own reader, not the one under test."""
    with open(path, "rb") as file:
        data = file.read()
    fields, position = [], 0
    while len(fields) < 4:
        while data[position:position + 1].isspace():
            position += 1
        if data[position:position + 1] == b"#":
            position = data.index(b"\n", position)
            continue
        end = position
        while not data[end:end + 1].isspace():
            end += 1
        fields.append(data[position:end])
        position = end
    kinds = {b"P5": 1, b"P6": 3}
    if fields[0] not in kinds or fields[3] != b"255":
        sys.exit(f"{path}: this example takes binary 8-bit .pgm and .ppm images")
    return int(fields[2]), int(fields[1]), kinds[fields[0]], data[position + 1:]
