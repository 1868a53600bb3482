"""Orders a second in hftbacktest's compiled core: at each bar twenty of the resting orders are cancelled, and made anew.
Arguments: the recording, how often, the orders at rest."""

import json
import sys
import time

import numpy as np
from hftbacktest import (
    BUY_EVENT,
    DEPTH_EVENT,
    EXCH_EVENT,
    GTC,
    LIMIT,
    LOCAL_EVENT,
    SELL_EVENT,
    BacktestAsset,
    HashMapMarketDepthBacktest,
)
from hftbacktest.order import NEW
from hftbacktest.types import event_dtype
from numba import njit

path, loops, resting = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
candles = np.genfromtxt(path, delimiter=",", names=True)
bars = len(candles)
turns = 20
bar_nanos = 60_000_000_000


def best_prices():
    """At each close the best bid and ask before are taken away, and those around the close are there."""
    feed = np.zeros((bars, 4), event_dtype)
    flags = DEPTH_EVENT | EXCH_EVENT | LOCAL_EVENT
    closes = candles["close"]
    feed["exch_ts"] = feed["local_ts"] = (np.arange(1, bars + 1) * bar_nanos)[:, None]
    feed["ev"] = flags | np.array([BUY_EVENT, SELL_EVENT, BUY_EVENT, SELL_EVENT])
    feed["px"][:, 2:] = closes[:, None] + [-0.01, 0.01]
    feed["px"][1:, :2] = feed["px"][:-1, 2:]
    feed["px"][0, :2] = feed["px"][0, 2:]
    feed["qty"][:, 2:] = 1
    return feed.reshape(-1)


@njit
def submit(market, order_id, close):
    distance = 0.1 + order_id % resting / 1e5
    quantity = (123 + order_id % resting) / 1e4
    if order_id % 2 == 0:
        return market.submit_buy_order(0, order_id, close * (1 - distance), quantity, GTC, LIMIT, False)
    return market.submit_sell_order(0, order_id, close * (1 + distance), quantity, GTC, LIMIT, False)


@njit
def send(market):
    """Commands that were taken, and orders that rest at the end."""
    sent = made = cancelled = 0
    # Half a bar off the feed, so that every answer is there before the next bar.
    market.elapse(bar_nanos + bar_nanos // 2)
    for bar in range(bars - 1):
        depth = market.depth(0)
        close = (depth.best_bid + depth.best_ask) / 2
        market.clear_inactive_orders(0)
        while made < resting:
            sent += submit(market, made, close) == 0
            made += 1
        if bar > 0:
            for _ in range(turns):
                sent += market.cancel(0, cancelled, False) == 0
                sent += submit(market, made, close) == 0
                cancelled += 1
                made += 1
        market.elapse(bar_nanos)
    at_rest = 0
    values = market.orders(0).values()
    while values.has_next():
        at_rest += values.get().status == NEW
    return sent, at_rest


def run():
    asset = (
        BacktestAsset()
        .data(feed)
        .linear_asset(1.0)
        .constant_order_latency(1_000_000, 1_000_000)
        .risk_adverse_queue_model()
        .no_partial_fill_exchange()
        .trading_value_fee_model(0.0005, 0.001)
        .tick_size(0.01)
        .lot_size(0.0001)
    )
    market = HashMapMarketDepthBacktest([asset])
    sent, at_rest = send(market)
    market.close()
    if sent != resting + 2 * turns * (bars - 2) or at_rest != resting:
        raise RuntimeError(f"{sent} commands were taken, {at_rest} orders rest: every order is carried out")
    return sent


feed = best_prices()
# Compiles.
run()
rates = []
for _ in range(loops):
    began = time.process_time()
    orders = run()
    rates.append(bars / (time.process_time() - began))
print(json.dumps({"bars": bars, "barsPerSecond": rates, "trades": 0, "equity": 0, "orders": orders}))
