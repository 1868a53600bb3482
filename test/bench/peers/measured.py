"""Runs a command, and prints after its output what the process and its children took. Arguments: the command."""

import json
import resource
import subprocess
import sys
import time

began = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, text=True, check=True)
wall = time.perf_counter() - began
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(done.stdout.strip())
print(json.dumps({
    "wallSeconds": wall,
    "cpuSeconds": usage.ru_utime + usage.ru_stime,
    "residentMegabytes": usage.ru_maxrss / 1024,
}))
