#!/usr/bin/env python3
"""Bodies that attract each other; the reference is the same integration by numpy in double precision."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common import arguments, expect, leno_examples

options = arguments(__doc__)
count, steps, dt = 300, 8, 0.01
random = np.random.default_rng(2)
bodies, velocities = np.zeros((2, count, 4), np.float32)
bodies[:, :3] = random.standard_normal((count, 3))
bodies[:, 3] = random.random(count) / count
velocities[:, :3] = random.standard_normal((count, 3)) / 10
paths = [os.path.join(options.out, f"nbody-{name}.bin") for name in ("start", "end")]
np.concatenate([bodies, velocities]).tofile(paths[0])
print(leno_examples(options, "nbody", paths[0], steps, dt, paths[1]), end="")

at, mass, speed = bodies[:, :3].astype(np.float64), bodies[:, 3].astype(np.float64), velocities[:, :3].astype(np.float64)
for _ in range(steps):
    way = at[None] - at[:, None]
    strength = mass[None] * ((way**2).sum(axis=2) + 1e-4) ** -1.5
    speed = speed + dt * (strength[..., None] * way).sum(axis=1)
    at = at + dt * speed
moved = np.fromfile(paths[1], np.float32).reshape(2, count, 4)[:, :, :3]
error = max(np.abs(moved[0] - at).max(), np.abs(moved[1] - speed).max())
momentum = np.abs((mass[:, None] * (moved[1] - velocities[:, :3])).sum(axis=0)).max()
print(f"  the greatest difference is {error:.1e}; the momentum changed by {momentum:.1e}")
expect("nbody", bool(error < 2e-6 and momentum < 1e-7 and np.abs(at - bodies[:, :3]).max() > 1e-3),
       "as the reference, to single precision")
