#!/usr/bin/env python3
"""random_kernels.py LENO_CC LENO_RUN FOLDER SEED COUNT [--shard I/N] [--state FILE]: random kernels, on the machine and on the host.

Every function (random_program.py) is compiled by clang for the host, where random_host.h steps the lanes of its block, and by leno-cc
at -O0, -O2 and -O3, and run with each kind of stack: the results are the same words. What differs is reduced, statement by statement,
kept in FOLDER and told with its seed. LENO_TEST_EFFORT multiplies COUNT. A campaign in shards takes every N-th batch of seeds and
writes into FILE how far it has come; started again, it goes on there. LLVM's machine verifier takes twice as long as the rest of
a compilation: in a campaign it looks at one level of every fourth batch, in turn.
"""
import argparse
import json
import os
import random
import subprocess
import sys

import random_program
from random_program import CELLS, LANES, OUTPUTS

WORDS = LANES * OUTPUTS + CELLS
LEVELS = ["0", "2", "3"]
STACKS = [[], ["--set", "stack.model=cache", "--set", "stack.entries=4", "--set", "stack.setEntries=2", "--set", "stack.moveEntries=2"],
          ["--set", "stack.model=memory"]]
BATCH = 64
HERE = os.path.dirname(os.path.abspath(__file__))


def run(words, **options):
    """Of processor time, that is: a campaign beside other work waits long for its turn."""
    return subprocess.run(["prlimit", "--cpu=300", *words], capture_output=True, **options)


class Judge:
    def __init__(self, compiler, runner, folder):
        self.compiler, self.runner, self.folder = compiler, runner, os.path.abspath(folder)
        self.verified = LEVELS

    def inputs(self, seed):
        dice = random.Random(seed)
        words = [dice.choice([dice.getrandbits(32), dice.randrange(16), 0xFFFFFFFF]) for _ in range(LANES)]
        with open(f"{self.folder}/in.bin", "wb") as file:
            file.write(b"".join(word.to_bytes(4, "little") for word in words))

    def write(self, functions, name):
        path = f"{self.folder}/{name}.c"
        with open(path, "w") as file:
            file.write(random_program.source(functions))
        return path

    def expected(self, source):
        """Of the host, or None where it does not end as it should."""
        host = source[:-2] + ".host"
        built = run(["clang-22", "-w", "-O0", "-ffp-contract=off", "-fwrapv", "-I", HERE, source, "-o", host])
        if built.returncode:
            raise RuntimeError(built.stderr.decode()[-2000:])
        with open(f"{self.folder}/in.bin", "rb") as file:
            done = run([host], stdin=file)
        return done.stdout if done.returncode == 0 else None

    def compile(self, source, level):
        program = f"{source[:-2]}-O{level}"
        verify = ["--llvm", "-verify-machineinstrs"] if level in self.verified else []
        done = run([self.compiler, "-Wno-everything", "-ffp-contract=off", "-fwrapv", "-I", HERE, f"-O{level}", *verify, source, "-o", program])
        return (program, "") if done.returncode == 0 else (None, done.stderr.decode(errors="replace")[-1500:])

    def results(self, program, functions, stack):
        """The words of each function, or what leno-run says: one after the other on one machine, or alone where they fail together."""
        outputs = [f"{self.folder}/out{i}.bin" for i in range(len(functions))]
        launches = [{"launch": program, "kernel": f"k{f.seed}", "block": LANES, "args": ["in", f"out:u32[{WORDS}]:{output}"],
                     "max-instructions": 20000000} for f, output in zip(functions, outputs)]
        contexts = f"{self.folder}/launches.yaml"
        with open(contexts, "w") as file:
            json.dump({"contexts": [{"name": "kernels", "buffers": {"in": f"in:u32:{self.folder}/in.bin"}, "stream": launches}]}, file)
        done = run([self.runner, "--contexts", contexts, *stack])
        if done.returncode:
            return [done.stderr[-1000:]] if len(functions) == 1 else [word for f in functions for word in self.results(program, [f], stack)]
        words = []
        for output in outputs:
            with open(output, "rb") as file:
                words.append(file.read())
            os.remove(output)
        return words

    def failures(self, functions, name, levels=LEVELS, stacks=STACKS):
        """(function, level, stack, what is wrong) of each that is."""
        source = self.write(functions, name)
        expected = self.expected(source)
        if expected is None:
            return [(functions[0], None, None, "the host does not end")] if len(functions) == 1 else \
                [failure for f in functions for failure in self.failures([f], name, levels, stacks)]
        found, seen = [], set()
        for level in levels:
            program, trouble = self.compile(source, level)
            if not program:
                if len(functions) > 1:
                    return [failure for f in functions for failure in self.failures([f], name, levels, stacks)]
                found.append((functions[0], level, stacks[0], trouble))
                continue
            with open(program, "rb") as file:
                code = file.read()
            if code in seen:  # -O3 is often the same program as -O2
                continue
            seen.add(code)
            wrong = set()
            for stack in stacks:
                for i, (function, got) in enumerate(zip(functions, self.results(program, functions, stack))):
                    want = expected[4 * WORDS * i:4 * WORDS * (i + 1)]
                    if got == want or function in wrong:
                        continue
                    wrong.add(function)
                    words = [j // 4 for j in range(0, len(want), 4) if got[j:j + 4] != want[j:j + 4]]
                    found.append((function, level, stack, f"wrong in words {words[:40]}" if len(got) == len(want) else got.decode(errors="replace")))
        return found

    def reduce(self, function, level, stack, kind):
        """Takes out statements as long as it still fails in the same way."""
        def fails():
            try:
                found = self.failures([function], f"reduce{function.seed}", [level], [stack])
            except RuntimeError:
                return False
            return any(what.startswith("wrong in words") == kind for _, at, _, what in found if at)

        def blocks(statements):
            yield statements
            for statement in list(statements):
                for block in statement.blocks():
                    yield from blocks(block)

        changed = True
        while changed:
            changed = False
            for body in [function.body] + [helper.body for helper in function.helpers]:
                for block in list(blocks(body)):
                    size = max(1, len(block) // 2)
                    while size:
                        at = 0
                        while at < len(block):
                            taken = block[at:at + size]
                            del block[at:at + size]
                            if fails():
                                changed = True
                            else:
                                block[at:at] = taken
                                at += size
                        size //= 2
        self.write([function], f"reduced{function.seed}-O{level}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("compiler", "runner", "folder"):
        parser.add_argument(name)
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--shard", default="0/1")
    parser.add_argument("--state")
    options = parser.parse_args()
    count = options.count * int(os.environ.get("LENO_TEST_EFFORT") or 1)
    shard, shards = map(int, options.shard.split("/"))
    state = {"next": shard, "functions": 0, "wrong": []}
    if options.state and os.path.exists(options.state):
        with open(options.state) as file:
            state = json.load(file)
    judge = Judge(options.compiler, options.runner, options.folder)
    while state["next"] * BATCH < count:
        first = state["next"] * BATCH
        if options.state:
            turn = state["next"] // shards
            judge.verified = [] if turn % 4 else [LEVELS[turn // 4 % len(LEVELS)]]
        judge.inputs(options.seed + first)
        functions = [random_program.Function(options.seed + i) for i in range(first, min(first + BATCH, count))]
        for function, level, stack, what in judge.failures(functions, f"random{shard}"):
            print(f"seed {function.seed} -O{level} {' '.join(stack or [])}: {what}", flush=True)
            state["wrong"].append([function.seed, level])
            if level:
                judge.reduce(function, level, stack, what.startswith("wrong in words"))
        state["functions"] += len(functions)
        state["next"] += shards
        if options.state:
            with open(options.state + ".new", "w") as file:
                json.dump(state, file)
            os.replace(options.state + ".new", options.state)
    print(f"{state['functions']} functions at {len(LEVELS)} levels with {len(STACKS)} stacks, {len(state['wrong'])} wrong")
    sys.exit(1 if state["wrong"] else 0)


main()
