"""Runs a command at a terminal of its own and presses keys: press-keys.py STEPS COMMAND...

STEPS is JSON: a list of [text, keys]. The keys are pressed once the text has been printed after those before it. Prints what
the command has printed, then a line with its exit code.
"""
import json
import os
import pty
import select
import sys
import time

steps = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
printed = ""
seen = 0
deadline = time.monotonic() + 60
while time.monotonic() < deadline:
    ready, _, _ = select.select([terminal], [], [], 0.1)
    if ready:
        try:
            data = os.read(terminal, 65536)
        except OSError:
            break
        if not data:
            break
        printed += data.decode("utf-8", "replace")
    while steps and printed.find(steps[0][0], seen) >= 0:
        text, keys = steps.pop(0)
        seen = printed.find(text, seen) + len(text)
        os.write(terminal, keys.encode())
else:
    os.kill(pid, 9)
_, status = os.waitpid(pid, 0)
print(printed)
print("exit code", os.waitstatus_to_exitcode(status))
