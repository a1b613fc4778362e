"""wrong_joins.py LENO_CC LENO_RUN SOURCE FOLDER: compiles the kernel f with joins made wrong in every way, and runs what the proof lets
pass: its results are those of the right program, or the proof has missed it. Each n-th way only, where LENO_TEST_EFFORT is 1."""
import os
import subprocess
import sys

compiler, runner, source, folder = sys.argv[1:]
step = 1 if int(os.environ.get("LENO_TEST_EFFORT") or 1) > 1 else 2


def run(program):
    result = f"{folder}/out.bin"
    done = subprocess.run([runner, program, "--block", "32", "--arg", f"out:u32[256]:{result}", "--max-instructions", "100000"],
                          capture_output=True, text=True, timeout=60)
    if done.returncode:
        return done.stderr
    with open(result, "rb") as file:
        return file.read()


def main():
    ir = f"{folder}/f.bc"
    subprocess.run([compiler, "-emit-llvm", "-c", source, "-o", ir], check=True)
    subprocess.run([compiler, ir, "-o", f"{folder}/right"], check=True)
    right = run(f"{folder}/right")
    assert isinstance(right, bytes), right
    way = found = same = missed = 0
    while True:
        program = f"{folder}/wrong{way}"
        done = subprocess.run([compiler, "--llvm", f"-leno-mutate-joins={way}", ir, "-o", program], capture_output=True, text=True)
        if "there are only" in done.stderr:
            break
        if done.returncode == 1 and "the joins of lanes are wrong" in done.stderr:
            found += 1
        elif done.returncode == 0 and run(program) == right:
            same += 1
        else:
            missed += 1
            print(f"way {way}: exit status {done.returncode}, {done.stderr}")
        way += step
    print(f"{found + same + missed} ways to make the joins wrong, {found} found, {same} change nothing, {missed} missed")
    sys.exit(missed != 0)


main()
