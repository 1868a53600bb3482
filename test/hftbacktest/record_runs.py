"""Records runs of hftbacktest's published wheel, as gzip JSON lines, for `npm run compare:hftbacktest -- --run`.

Words: the file of a book (ts_ms,kind,side,price,quantity), the folder to write to, the set, the symbol, the size of a lot.

The wheel tells of an order what is left of it, and neither what stood ahead when it joined nor who was the maker. So a run
has no joins, every fill counts as the maker's, and the fills of one order within a millisecond are one.
"""

import gzip
import json
import os
import random
import sys

from book_events import MILLI, TICK, read_events
from hftbacktest import GTC, LIMIT, BacktestAsset, HashMapMarketDepthBacktest

LATENCY_MS = 10

LAWS = {
    "riskAverse": lambda asset: asset.risk_adverse_queue_model(),
    "power2": lambda asset: asset.power_prob_queue_model(2.0),
    "powerC3": lambda asset: asset.power_prob_queue_model3(3.0),
    "log": lambda asset: asset.log_prob_queue_model(),
}


def create(events, law, lot):
    asset = (
        BacktestAsset()
        .data([events])
        .linear_asset(1.0)
        .constant_order_latency(LATENCY_MS * MILLI, LATENCY_MS * MILLI)
        .partial_fill_exchange()
        .trading_value_fee_model(0.0002, 0.0007)
        .tick_size(TICK)
        .lot_size(lot)
    )
    return HashMapMarketDepthBacktest([LAWS[law](asset)])


class Recorder:
    def __init__(self, events, law, lot, seed):
        self.hbt = create(events, law, lot)
        self.lot = lot
        self.random = random.Random(seed)
        self.lines = []
        self.live = {}
        self.next_id = 1
        self.stopped = None

    def run(self, spans):
        for span in range(spans):
            self.decide(span)
            for _ in range(100):
                code = self.hbt.elapse(MILLI)
                self.look()
                if code != 0:
                    self.stopped = None if code == 1 else str(code)
                    return
            self.hbt.clear_inactive_orders(0)

    def decide(self, span):
        depth = self.hbt.depth(0)
        if not depth.best_bid < depth.best_ask:
            return
        now = int(self.hbt.current_timestamp)
        if span % 5 == 0:
            for id, order in list(self.live.items()):
                if order["cancelled"]:
                    continue
                if self.hbt.cancel(0, id, False) == 0:
                    order["cancelled"] = True
                    self.lines.append({"k": "req", "t": now, "op": "cancel", "id": id})
        if len(self.live) >= 6:
            return
        for side in ("buy", "sell"):
            away = self.random.choice([0, 0, 1, 5])
            best = depth.best_bid_tick if side == "buy" else depth.best_ask_tick
            ticks = int(best - away if side == "buy" else best + away)
            lots = self.random.randint(1, 40) * 100
            send = self.hbt.submit_buy_order if side == "buy" else self.hbt.submit_sell_order
            id = self.next_id
            self.next_id += 1
            if send(0, id, ticks * TICK, lots * self.lot, GTC, LIMIT, False) != 0:
                continue
            self.live[id] = {"left": lots, "cancelled": False, "side": side, "px": ticks}
            order = {"k": "req", "t": now, "op": "new", "id": id, "side": side}
            self.lines.append({**order, "px": ticks, "qty": lots, "tif": "gtc", "type": "limit"})

    def look(self):
        orders = self.hbt.orders(0)
        for id, known in list(self.live.items()):
            order = orders.get(id)
            if order is None:
                continue
            left = round(order.leaves_qty / self.lot)
            # NONE, NEW, EXPIRED, FILLED, CANCELED, PARTIALLY_FILLED, REJECTED
            if order.status in (3, 5) and left < known["left"]:
                fill = {"k": "fill", "x": int(order.exch_timestamp), "id": id, "side": known["side"]}
                qty = known["left"] - left
                px = int(order.exec_price_tick)
                self.lines.append({**fill, "px": px, "qty": qty, "maker": True})
                known["left"] = left
            if order.status in (2, 3, 4):
                del self.live[id]


def main(path, folder, data, symbol, lot):
    with gzip.open(path, "rt") as file:
        events = read_events(file)
    spans = int((events[-1]["exch_ts"] - events[0]["exch_ts"]) // (100 * MILLI)) - 2
    os.makedirs(folder, exist_ok=True)
    for seed, law in enumerate(LAWS):
        recorder = Recorder(events, law, lot, seed)
        recorder.run(spans)
        name = f"{data}_{symbol}_wheel_{law}_{LATENCY_MS}_partial"
        head = {"k": "run", "run": name, "data": data, "symbol": symbol, "strategy": "wheel", "model": law}
        head |= {"entry_ms": LATENCY_MS, "response_ms": LATENCY_MS, "feed_ms": 0, "exchange": "partial"}
        head |= {"stopped": recorder.stopped, "tick": TICK, "lot": lot, "isByMillisecond": True}
        with gzip.open(os.path.join(folder, f"{name}.jsonl.gz"), "wt") as file:
            for line in [head, *recorder.lines]:
                file.write(json.dumps(line) + "\n")
        print(f"{name}: {len(recorder.lines)} lines", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4], float(sys.argv[5]))
