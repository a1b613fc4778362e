"""Every given source assembles, as object and as program, to what leno-objdump's text of it assembles to.

round_trip.py LENO-AS LENO-OBJDUMP OUTPUT-DIR SOURCE...
"""
import pathlib
import subprocess
import sys


def main():
    assembler, objdump, out, *sources = sys.argv[1:]
    folder = pathlib.Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    first, second = folder / "first", folder / "second"
    for source in sources:
        for options in (["-c"], []):
            subprocess.run([assembler, "-w", *options, source, "-o", first], check=True)
            text = subprocess.run([objdump, first], stdout=subprocess.PIPE, check=True).stdout
            subprocess.run([assembler, "-w", *options, "-", "-o", second], input=text, check=True)
            if first.read_bytes() != second.read_bytes():
                sys.exit(f"{source}: {' '.join(options)} other bytes: compare {first} and {second}")
    if not sources:
        sys.exit("round_trip.py: no sources")
    print(f"{len(sources)} sources, the same bytes")


main()
