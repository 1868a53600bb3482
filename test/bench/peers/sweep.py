"""A sweep as `peers.ts` asks for it, for each of the peers in Python."""

import json
import multiprocessing


def play(asked, run):
    """Runs every pair of averages; `asked` is JSON: the workers, and the spans of the fast and the slow one, in bars."""
    workers, fast, slow = (json.loads(asked)[name] for name in ("workers", "fast", "slow"))
    pairs = [(first, second) for first in fast for second in slow]
    if workers == 1:
        results = [run(pair) for pair in pairs]
    else:
        with multiprocessing.get_context("fork").Pool(workers) as pool:
            results = pool.map(run, pairs, chunksize=5)
            pool.close()
            pool.join()
    print(json.dumps({"cases": len(results)}))
