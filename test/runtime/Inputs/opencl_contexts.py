"""Contexts of two host threads, each with a queue and a kernel that prints; a third one whose kernel traps."""
import os
import threading

import numpy as np
os.environ['PYOPENCL_NO_CACHE'] = '1'
import pyopencl as cl
device = cl.get_platforms()[0].get_devices()[0]
SOURCE = '''
kernel void mix(global int *r, int n) {
  int x = get_global_id(0);
  for (int i = 0; i < n; ++i)
    x = x * 3 + 1;
  r[get_global_id(0)] = x;
  if (get_global_id(0) == 0)
    printf("mixed %d times\\n", n);
}
kernel void lost(global int *r, int n) { r[n + (1 << 28)] = 1; }'''

def work(name, turns, kernel, results):
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    program = cl.Program(context, SOURCE).build()
    numbers = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4 * 1024)
    try:
        getattr(program, kernel)(queue, (1024,), (64,), numbers, np.int32(turns)).wait()
        result = np.empty(1024, np.int32)
        cl.enqueue_copy(queue, result, numbers)
        expected = np.arange(1024, dtype=np.int32)
        for _ in range(turns):
            expected = expected * np.int32(3) + np.int32(1)
        results[name] = 'right' if (result == expected).all() else 'WRONG'
    except cl.Error as error:
        results[name] = str(error)

results = {}
threads = [threading.Thread(target=work, args=(*one, results))
           for one in (('first', 3000, 'mix'), ('second', 2000, 'mix'), ('third', 0, 'lost'))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for name in sorted(results):
    print(name, results[name])
