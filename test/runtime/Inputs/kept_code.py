"""Runs a kernel again and again on the compiled tier, and looks at the cache of machine code between."""
import os
import stat
import subprocess
import sys

runner, kernel, prefix = sys.argv[1:]
cache = prefix + ".cache"
words = [runner, kernel, "--grid", "8", "--block", "256", "--arg", "out:u32[256]:print:"]


def environment(folder, tier="compiled"):
    return dict(os.environ, LENO_CACHE=folder, LENO_TIER=tier)


def run(folder, tier="compiled"):
    done = subprocess.run(words, env=environment(folder, tier), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def kept():
    return {name: open(os.path.join(cache, name), "rb").read() for name in sorted(os.listdir(cache))}


def inodes():
    return {name: os.stat(os.path.join(cache, name)).st_ino for name in os.listdir(cache)}


expected = run("off", "interpreter")
assert run(cache) == expected
assert stat.S_IMODE(os.stat(cache).st_mode) == 0o700
first = kept()
assert first and all(name.endswith(".code") for name in first), first.keys()

# Known code is used as it is: nothing is written.
before = inodes()
assert run(cache) == expected
assert inodes() == before

# Cut, spoilt, empty, and full of something else: made anew, the same bytes.
for damage in (lambda b: b[:-7], lambda b: b[:99] + bytes([b[99] ^ 1]) + b[100:], lambda b: b"", lambda b: b"\0" * len(b)):
    for name, whole in first.items():
        with open(os.path.join(cache, name), "wb") as file:
            file.write(damage(whole))
    assert run(cache) == expected
    assert kept() == first, "it was not made anew"

# Several processes at once.
for name in first:
    os.remove(os.path.join(cache, name))
processes = [subprocess.Popen(words, env=environment(cache), stdout=subprocess.PIPE, text=True) for _ in range(4)]
assert all([process.communicate()[0] == expected for process in processes])
assert kept() == first

# A folder that others can write, and a link, are not used; nor is one that cannot be made.
opened, link = prefix + ".open", prefix + ".link"
os.mkdir(opened)
os.chmod(opened, 0o777)
if os.path.lexists(link):
    os.remove(link)
os.symlink(cache, link)
names = os.listdir(cache)
for name in names:
    os.remove(os.path.join(cache, name))
for folder in (opened, link, "/proc/none/there"):
    assert run(folder) == expected
assert not os.listdir(opened) and not os.listdir(cache), "code was left where it must not be"
