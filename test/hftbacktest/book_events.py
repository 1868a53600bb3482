"""The rows of a recorded book as hftbacktest has them, for both programs of this folder."""

import csv

import numpy as np
from hftbacktest import (
    BUY_EVENT,
    DEPTH_EVENT,
    DEPTH_SNAPSHOT_EVENT,
    EXCH_EVENT,
    LOCAL_EVENT,
    SELL_EVENT,
    TRADE_EVENT,
)
from hftbacktest.types import event_dtype

KINDS = {"depth": DEPTH_EVENT, "trade": TRADE_EVENT, "snapshot": DEPTH_SNAPSHOT_EVENT}
MILLI = 1_000_000
TICK = 0.01


def read_events(file):
    """Reads the events of an open file of rows (ts_ms,kind,side,price,quantity), each local when it happens."""
    rows = list(csv.reader(file))[1:]
    events = np.zeros(len(rows), dtype=event_dtype)
    for place, (at, kind, side, price, quantity) in enumerate(rows):
        flag = BUY_EVENT if side == "buy" else SELL_EVENT
        events[place]["ev"] = KINDS[kind] | flag | EXCH_EVENT | LOCAL_EVENT
        events[place]["exch_ts"] = events[place]["local_ts"] = int(at) * MILLI
        events[place]["px"] = float(price)
        events[place]["qty"] = float(quantity)
    return events
