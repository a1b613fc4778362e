"""python3 -m leno runs what leno-run runs."""
import os
import sys

from leno import Error, tool

if __name__ == "__main__":
    try:
        program = tool("leno-run")
    except Error as error:
        sys.exit(f"leno: error: {error}")
    os.execv(program, [program, *sys.argv[1:]])
