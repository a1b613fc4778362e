#!/usr/bin/env python3
"""What a second worker brings to a sweep whose points take about a second: points an hour of one worker and of two, on a local
Dask cluster, by turns.
   PYTHONPATH=.build/release/python test/bench/python_sweep.py [POINTS]"""
import os
import sys
import time

import distributed
import numpy as np

import leno

POINTS = int(sys.argv[1]) if len(sys.argv) > 1 else 24


def main():
    kernel = leno.assemble("""
        .kernel turns
        .param  u32 n
        .param  ptr out
        MOV     R0, c[0][n]
again:  IADD    R0, R0, -1
        ISETP.ne P0, R0, RZ
  @P0   BRA     again
        MOV     R2, c[0][out]
        MOV     R3, c[0][out+4]
        STG     [R2.64], R0
        EXIT
        .endkernel
""").kernel()
    work = leno.Work(kernel, 1, 32, 40_000_000, np.zeros(1, "u4"), threads=1, max_instructions=0)
    seconds = {1: [], 2: []}
    clusters = {count: distributed.LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=None) for count in seconds}
    clients = {count: distributed.Client(cluster) for count, cluster in clusters.items()}
    machines = {"sm.count": 1, "stack.entries": list(range(16, 16 + POINTS))}
    for _ in range(2):
        for count, client in clients.items():
            start = time.perf_counter()
            leno.sweep(work, machines, executor=client.get_executor())
            seconds[count].append(time.perf_counter() - start)
            print(f"{count} workers: {POINTS} points in {seconds[count][-1]:.1f} s, load {os.getloadavg()[0]:.1f}", flush=True)
    one, two = (min(seconds[count]) for count in (1, 2))
    print(f"a point takes {one / POINTS:.2f} s; two workers have {one / two:.2f} times the throughput of one")
    for count in clients:
        clients[count].close()
        clusters[count].close()


if __name__ == "__main__":
    main()
