"""The cross in backtesting.py. Arguments: the recording, how often (or a sweep, as JSON), and the commission."""

import json
import sys
import time
import warnings

import pandas as pd
import sweep
from backtesting import Backtest, Strategy

path, loops, commission = sys.argv[1], sys.argv[2], float(sys.argv[3])
warnings.filterwarnings("ignore")
data = pd.read_csv(path)
data.index = pd.to_datetime(data["ts_ms"], unit="ms")
data = data.rename(columns=str.title)[["Open", "High", "Low", "Close", "Volume"]].fillna(0)


def ema(values, span):
    return pd.Series(values).ewm(span=span, adjust=False).mean()


class Cross(Strategy):
    fast_span = 20
    slow_span = 60

    def init(self):
        self.fast = self.I(ema, self.data.Close, self.fast_span)
        self.slow = self.I(ema, self.data.Close, self.slow_span)

    def next(self):
        is_up = len(self.data) >= self.slow_span and self.fast[-1] > self.slow[-1]
        if is_up and not self.position:
            self.buy(size=1)
        elif not is_up and self.position:
            self.position.close()


def run(spans=(20, 60)):
    backtest = Backtest(data, Cross, cash=10_000_000, commission=commission)
    return backtest.run(fast_span=spans[0], slow_span=spans[1])


def final_equity(spans):
    return run(spans)["Equity Final [$]"]


if loops.startswith("{"):
    sweep.play(loops, final_equity)
    sys.exit()
rates = []
for _ in range(int(loops)):
    began = time.process_time()
    stats = run()
    rates.append(len(data) / (time.process_time() - began))
fills = []
for trade in stats._trades.itertuples():
    fills.append([int(trade.EntryTime.value // 10**6), trade.EntryPrice])
    fills.append([int(trade.ExitTime.value // 10**6), trade.ExitPrice])
print(json.dumps({
    "bars": len(data),
    "barsPerSecond": rates,
    "trades": len(stats._trades),
    "equity": stats["Equity Final [$]"],
    "fills": fills,
}))
