"""stalls.py LENO-RUN KERNEL.s SCRATCH SIZE STRIDE [RESULT]: a kernel of leno-bench stack-cache, two warps of it, with its
stack cached and all in memory: is the result right, and is a wait of the one at most a tenth of the other's?"""
import json
import subprocess
import sys

import numpy as np

run, kernel, scratch, size, stride = sys.argv[1:6]
THREADS = 64


def statistics(model):
    out = f"{scratch}-{model}.npy"
    command = [run, kernel, "--block", str(THREADS), "--set", "sm.count=1", "--set", "warp.stackDepth=2048",
               "--set", "timing.model=cycles", "--set", f"stack.model={model}", "--set", "stack.entries=16", "--json",
               "--arg", f"u32:{size}", "--arg", f"u32:{stride}", "--arg", f"in:{scratch}-words.npy",
               "--arg", f"out:u32[{int(stride) * THREADS // 4}]:{scratch}-scratch.npy", "--arg",
               f"out:u32[{THREADS}]:{out}"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return report["statistics"], np.load(out)


cached, result = statistics("cache")
in_memory, same = statistics("memory")
assert (result == same).all(), "the results differ"
if len(sys.argv) > 6:
    assert (result == int(sys.argv[6])).all(), result
assert cached["stackPushes"] == in_memory["stackPushes"] and cached["stackEntriesSpilled"] > 0
ratio = cached["stackStallCycles"] / in_memory["stackStallCycles"]
print(f"{ratio:.3f} of the stall cycles,", "over 1000 deep," if cached["maxStackDepth"] >= 1000 else "not deep,",
      "at most a tenth" if ratio <= 0.1 else "more than a tenth")
