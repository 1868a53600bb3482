"""Measures hftbacktest's published wheel over the events of the bench of recorded books, for `npm run bench books`.

Words: a task, a folder, the size of a lot and, for `prepare`, the file of a book (ts_ms,kind,side,price,quantity) and how
often it is repeated, each time later. `prepare` writes the events into the folder in the wheel's own form, `replay` works
them off with a look each tenth of a second, and `maker` quotes both sides then. The answer is one line of JSON. What is
timed has been compiled and run over a short span before; time is that of the processor.
"""

import glob
import json
import os
import resource
import sys
import time

import numpy as np
from book_events import MILLI, TICK, read_events
from hftbacktest import (
    DEPTH_CLEAR_EVENT,
    EXCH_EVENT,
    GTC,
    LIMIT,
    LOCAL_EVENT,
    BacktestAsset,
    HashMapMarketDepthBacktest,
)
from numba import njit

STEP = 100 * MILLI
REPETITIONS_PER_FILE = 10


def prepare(folder, path, repetitions):
    with open(path) as file:
        events = read_events(file)
    short = np.concatenate([events[:1], events])
    # A snapshot follows: what was there before goes, as after a reconnection.
    short[0]["ev"] = DEPTH_CLEAR_EVENT | EXCH_EVENT | LOCAL_EVENT
    short[0]["px"] = short[0]["qty"] = 0
    span = int(short[-1]["exch_ts"] - short[0]["exch_ts"]) + MILLI
    for first in range(0, repetitions, REPETITIONS_PER_FILE):
        parts = []
        for repetition in range(first, min(first + REPETITIONS_PER_FILE, repetitions)):
            part = short.copy()
            part["exch_ts"] += repetition * span
            part["local_ts"] = part["exch_ts"]
            parts.append(part)
        np.savez(os.path.join(folder, f"reference-{first:05}.npz"), data=np.concatenate(parts))
    return len(short) * repetitions


def open_backtest(data, lot):
    asset = (
        BacktestAsset()
        .data(data)
        .linear_asset(1.0)
        .constant_order_latency(0, 0)
        .power_prob_queue_model3(3.0)
        .no_partial_fill_exchange()
        .trading_value_fee_model(0.0002, 0.0007)
        .tick_size(TICK)
        .lot_size(lot)
    )
    return HashMapMarketDepthBacktest([asset])


@njit
def replay(hbt, lot):
    while hbt.elapse(STEP) == 0:
        pass
    return 0


@njit
def make(hbt, lot):
    next_id = 1
    live = [0, 0]
    placed = [0, 0]
    while hbt.elapse(STEP) == 0:
        hbt.clear_inactive_orders(0)
        depth = hbt.depth(0)
        best = [depth.best_bid_tick, depth.best_ask_tick]
        if not depth.best_bid < depth.best_ask:
            continue
        for side in range(2):
            if live[side] in hbt.orders(0):
                if placed[side] == best[side]:
                    continue
                hbt.cancel(0, live[side], False)
            price = best[side] * TICK
            if side == 0:
                hbt.submit_buy_order(0, next_id, price, 1000 * lot, GTC, LIMIT, False)
            else:
                hbt.submit_sell_order(0, next_id, price, 1000 * lot, GTC, LIMIT, False)
            live[side] = next_id
            placed[side] = best[side]
            next_id += 1
    return next_id - 1


def measure(folder, task, lot):
    files = sorted(glob.glob(os.path.join(folder, "reference-*.npz")))
    work = {"replay": replay, "maker": make}[task]
    # The wheel reads the array where it lies, so that it has to live as long.
    first = np.ascontiguousarray(np.load(files[0])["data"][:20_000])
    warm = open_backtest([first], lot)
    work(warm, lot)
    warm.close()
    begun, begun_at = time.process_time(), time.time()
    hbt = open_backtest(files, lot)
    orders = work(hbt, lot)
    spent, passed = time.process_time() - begun, time.time() - begun_at
    trades = hbt.state_values(0).num_trades
    hbt.close()
    return {"cpuSeconds": spent, "wallSeconds": passed, "result": f"{orders} orders, {trades} fills"}


def main(task, folder, lot, *words):
    if task == "prepare":
        answer = {"rows": prepare(folder, words[0], int(words[1]))}
    else:
        answer = measure(folder, task, float(lot))
    # Kilobytes on Linux, bytes on a Mac.
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    answer["peakMegabytes"] = most / (1e6 if sys.platform == "darwin" else 1e3)
    print(json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
