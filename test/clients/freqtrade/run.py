"""freqtrade as it is, trading through an exchange of our own for a while; prints how its orders compare with the venue's."""
import asyncio
import json
import os
import signal
import sqlite3

import ccxt
import ccxt.async_support
import ccxt.pro
from venue import Venue

SECONDS = int(os.environ.get("LIVE_SECONDS", "120"))
MINUTE = 60_000


class Exchange(Venue):
    """What freqtrade asks of an exchange besides: candles, which the venue does not have, are flat at its present price."""

    def describe(self):
        has = {name: True for name in ("fetchOHLCV", "fetchOrder", "fetchL2OrderBook", "fetchTicker", "fetchMyTrades")}
        return self.deep_extend(super().describe(), {"has": has | {"fetchTickers": False}, "timeframes": {"1m": "1m"}})

    def fetch_ohlcv(self, symbol, timeframe="1m", since=None, limit=None, params={}):
        last = self.fetch_ticker(symbol)["last"]
        until = self.milliseconds() // MINUTE * MINUTE
        return [[until - back * MINUTE, last, last, last, last, 1] for back in range(min(limit or 100, 100), -1, -1)]

    def fetch_l2_order_book(self, symbol, limit=None, params={}):
        return self.fetch_order_book(symbol, limit)


class AsyncExchange(ccxt.async_support.bitvavo):
    """The same, for those parts that freqtrade awaits: each is asked in a thread."""

    def __init__(self, config={}):
        super().__init__(config)
        self.asked = Exchange({"apiKey": config.get("apiKey"), "secret": config.get("secret")})

    def describe(self):
        return self.deep_extend(super().describe(), Exchange().describe())

    async def fetch_currencies(self, params={}):
        return {}

    async def fetch_markets(self, params={}):
        return await asyncio.to_thread(self.asked.fetch_markets)

    async def fetch_ohlcv(self, symbol, timeframe="1m", since=None, limit=None, params={}):
        self.asked.markets or await asyncio.to_thread(self.asked.load_markets)
        return await asyncio.to_thread(self.asked.fetch_ohlcv, symbol, timeframe, since, limit)


for module, made in ((ccxt, Exchange), (ccxt.async_support, AsyncExchange)):
    module.venue = made
    module.exchanges.append("venue")

config = {
    "trading_mode": "spot", "dry_run": False, "max_open_trades": 3, "stake_currency": "USD", "stake_amount": 2000,
    "timeframe": "1m", "process_only_new_candles": False, "cancel_open_orders_on_exit": True,
    "unfilledtimeout": {"entry": 8, "exit": 8, "unit": "seconds"},
    "entry_pricing": {"price_side": "other", "use_order_book": True, "order_book_top": 1},
    "exit_pricing": {"price_side": "other", "use_order_book": True, "order_book_top": 1},
    "exchange": {"name": "venue", "key": os.environ["VENUE_KEY"], "secret": os.environ["VENUE_SECRET"],
                 "pair_whitelist": ["BTC/USD", "ETH/USD", "SOL/USD"], "pair_blacklist": []},
    "pairlists": [{"method": "StaticPairList"}], "internals": {"process_throttle_secs": 2}, "initial_state": "running",
}
with open("config.json", "w") as file:
    json.dump(config, file)


def stop(*_):
    raise KeyboardInterrupt


def main():
    from freqtrade.main import main as freqtrade
    signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    words = ["trade", "--config", "config.json", "--strategy", "Turns", "--strategy-path", "."]
    try:
        freqtrade([*words, "--userdir", "user_data", "--db-url", "sqlite:///trades.sqlite", "--logfile", "freqtrade.log"])
    except SystemExit:
        pass
    venue = Venue({"apiKey": os.environ["VENUE_KEY"], "secret": os.environ["VENUE_SECRET"]})
    venue.load_markets()
    rows = sqlite3.connect("trades.sqlite").execute("select order_id, status, filled, average from orders").fetchall()
    differing = []
    for order_id, status, filled, average in rows:
        there = venue.fetch_order(order_id)
        own, other = (status, filled or 0, average or 0), (there["status"], there["filled"], there["average"] or 0)
        if own[0] != other[0] or any(abs(a - b) > 1e-9 * max(1, abs(b)) for a, b in zip(own[1:], other[1:])):
            differing.append(f"{order_id}: freqtrade has {own}, the venue {other}")
    filled = sum(status == "closed" for _, status, *_ in rows)
    # It forgets an entry that it has cancelled, so the venue tells of those.
    cancelled = venue.ask("GET", "orders", statuses="cancelled", limit=1)["pagination"]["total"]
    told = {"orders": len(rows), "differing": differing, "filled": filled, "cancelled": cancelled}
    print("RESULT " + json.dumps(told))


if __name__ == "__main__":
    main()
