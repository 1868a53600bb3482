"""Bars of recordings by pandas, beside ours: reads {bars, files, from, to} as JSON lines, and prints the differences."""

import json
import sys

import pandas as pd

frames = {}


def frame_of(path):
    """Candles by pandas alone: what the columns say, in milliseconds."""
    if path not in frames:
        # The default parser of numbers may miss the nearest double by one place.
        read = pd.read_csv(path, float_precision="round_trip").rename(columns=str.lower)
        read.index = pd.to_datetime(read["ts_ms"], unit="ms")
        frames[path] = read
    return frames[path]


def resample(frame, bar_millis, phase_millis):
    span = pd.Timedelta(milliseconds=bar_millis)
    grouped = frame.resample(span, origin=pd.Timestamp(phase_millis, unit="ms"))
    bars = grouped.agg({"open": "first", "high": "max", "low": "min", "close": "last", "volume": "sum"})
    return bars[grouped["open"].count() > 0]


def compare(asked):
    differences, compared = [], 0
    for asset, own in asked["bars"].items():
        given = asked["assets"][asset]
        frame = frame_of(given["file"])
        bars = resample(frame, given["barMillis"], given["phaseMillis"])
        starts = bars.index.astype("datetime64[ms]").astype("int64")
        keep = (starts >= asked["fromMillis"]) & (starts + given["barMillis"] <= asked["toMillis"])
        bars, starts = bars[keep], starts[keep]
        if list(starts) != [bar["fromMillis"] for bar in own]:
            differences.append(f"{asset}: {len(starts)} bars in pandas, {len(own)} here, or other times")
            continue
        for at, theirs, bar in zip(starts, bars.itertuples(), own):
            compared += 1
            same = all(getattr(theirs, name) == bar[name] for name in ("open", "high", "low", "close"))
            # pandas sums with compensation, so that sums may differ in their last digits.
            volume = bar["volume"] or 0
            if not same or abs(theirs.volume - volume) > 1e-9 * max(1.0, abs(volume)):
                differences.append(f"{asset} at {at}: {tuple(theirs)[1:]} in pandas, {bar} here")
    return {"compared": compared, "differences": differences[:5], "count": len(differences)}


for line in sys.stdin:
    print(json.dumps(compare(json.loads(line))))
