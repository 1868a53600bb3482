"""The cross in nautilus_trader, a bid that follows the price, or twenty resting orders cancelled and made anew at each
bar. Arguments: the recording, how often (or a sweep, as JSON), the work, and for `orders` how many are at rest."""

import json
import sys
import time
from decimal import Decimal

import pandas as pd
import sweep
from nautilus_trader.backtest.engine import BacktestEngine, BacktestEngineConfig
from nautilus_trader.config import LoggingConfig, RiskEngineConfig
from nautilus_trader.indicators import ExponentialMovingAverage
from nautilus_trader.model.currencies import USDT
from nautilus_trader.model.data import BarType
from nautilus_trader.model.enums import AccountType, OmsType, OrderSide
from nautilus_trader.model.identifiers import Venue
from nautilus_trader.model.objects import Money, Price
from nautilus_trader.persistence.wranglers import BarDataWrangler
from nautilus_trader.test_kit.providers import TestInstrumentProvider
from nautilus_trader.trading.strategy import Strategy

path, loops, work = sys.argv[1:4]
resting = int(sys.argv[4]) if work == "orders" else 0
turns = 20
data = pd.read_csv(path)
hours = int(data["ts_ms"].diff().median()) // 3_600_000
span = f"{hours}-HOUR" if hours > 0 else "1-MINUTE"
data.index = pd.to_datetime(data["ts_ms"], unit="ms", utc=True)
data = data[["open", "high", "low", "close", "volume"]].fillna(1_000_000)
instrument = TestInstrumentProvider.btcusdt_binance()
bar_type = BarType.from_str(f"{instrument.id}-{span}-LAST-EXTERNAL")
bars = BarDataWrangler(bar_type, instrument).process(data)


class Cross(Strategy):
    def __init__(self, spans):
        super().__init__()
        self.spans = spans

    def on_start(self):
        self.fast = ExponentialMovingAverage(self.spans[0])
        self.slow = ExponentialMovingAverage(self.spans[1])
        self.is_long = False
        self.register_indicator_for_bars(bar_type, self.fast)
        self.register_indicator_for_bars(bar_type, self.slow)
        self.subscribe_bars(bar_type)

    def on_bar(self, bar):
        if not self.indicators_initialized():
            return
        is_up = self.fast.value > self.slow.value
        if is_up != self.is_long:
            side = OrderSide.BUY if is_up else OrderSide.SELL
            self.submit_order(self.order_factory.market(instrument.id, side, instrument.make_qty(1)))
            self.is_long = is_up


class Resting(Strategy):
    def on_start(self):
        self.bid = None
        self.subscribe_bars(bar_type)

    def on_bar(self, bar):
        price = Price(round(float(bar.close) * 0.5, 2), 2)
        if self.bid is None:
            quantity = instrument.make_qty(10)
            self.bid = self.order_factory.limit(instrument.id, OrderSide.BUY, quantity, price)
            self.submit_order(self.bid)
        else:
            self.modify_order(self.bid, price=price)


class Sending(Strategy):
    def on_start(self):
        self.made = []
        self.cancelled = 0
        self.subscribe_bars(bar_type)

    def on_bar(self, bar):
        if not self.made:
            for _ in range(resting):
                self.submit(float(bar.close))
            return
        for _ in range(turns):
            self.cancel_order(self.made[self.cancelled])
            self.cancelled += 1
            self.submit(float(bar.close))

    def submit(self, close):
        place = len(self.made) % resting
        side, way = (OrderSide.BUY, -1) if place % 2 == 0 else (OrderSide.SELL, 1)
        price = instrument.make_price(close * (1 + way * (0.1 + place / 1e5)))
        order = self.order_factory.limit(instrument.id, side, instrument.make_qty((123 + place) / 1e4), price)
        self.submit_order(order)
        self.made.append(order)


def strategy(spans):
    if work == "orders":
        return Sending()
    return Resting() if work == "resting" else Cross(spans)


def run(spans=(20, 60)):
    # More orders than the hundred a second of its default are made at the first bar.
    risk = RiskEngineConfig(max_order_submit_rate="10000/00:00:01") if work == "orders" else RiskEngineConfig()
    logging = LoggingConfig(bypass_logging=True)
    engine = BacktestEngine(BacktestEngineConfig(logging=logging, risk_engine=risk))
    engine.add_venue(
        venue=Venue("BINANCE"),
        oms_type=OmsType.NETTING,
        account_type=AccountType.MARGIN,
        starting_balances=[Money(10_000_000, USDT)],
        default_leverage=Decimal(1),
    )
    engine.add_instrument(instrument)
    engine.add_data(bars)
    played = strategy(spans)
    engine.add_strategy(played)
    engine.run()
    if work == "orders" and engine.cache.orders_open_count() != resting:
        raise RuntimeError("every order is carried out")
    trades = engine.get_result().total_positions
    equity = float(engine.portfolio.account(Venue("BINANCE")).balance_total(USDT))
    engine.dispose()
    return trades, equity, len(played.made) + played.cancelled if work == "orders" else 0


if loops.startswith("{"):
    sweep.play(loops, run)
    sys.exit()
rates = []
for _ in range(int(loops)):
    began = time.process_time()
    trades, equity, orders = run()
    rates.append(len(bars) / (time.process_time() - began))
report = {"bars": len(bars), "barsPerSecond": rates, "trades": trades, "equity": equity, "orders": orders}
print(json.dumps(report))
