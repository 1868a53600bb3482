"""The cross in backtesting.py. Arguments: the recording, how often, and the commission."""

import json
import resource
import sys
import time
import warnings

import pandas as pd
from backtesting import Backtest, Strategy

path, loops, commission = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
warnings.filterwarnings("ignore")
data = pd.read_csv(path)
data.index = pd.to_datetime(data["ts_ms"], unit="ms")
data = data.rename(columns=str.title)[["Open", "High", "Low", "Close", "Volume"]].fillna(0)


def ema(values, span):
    return pd.Series(values).ewm(span=span, adjust=False).mean()


class Cross(Strategy):
    def init(self):
        self.fast = self.I(ema, self.data.Close, 20)
        self.slow = self.I(ema, self.data.Close, 60)

    def next(self):
        is_up = len(self.data) >= 60 and self.fast[-1] > self.slow[-1]
        if is_up and not self.position:
            self.buy(size=1)
        elif not is_up and self.position:
            self.position.close()


rates = []
for _ in range(loops):
    began = time.process_time()
    stats = Backtest(data, Cross, cash=10_000_000, commission=commission).run()
    rates.append(len(data) / (time.process_time() - began))
fills = []
for trade in stats._trades.itertuples():
    fills.append([int(trade.EntryTime.value // 10**6), trade.EntryPrice])
    fills.append([int(trade.ExitTime.value // 10**6), trade.ExitPrice])
usage = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({
    "barsPerSecond": rates,
    "trades": len(stats._trades),
    "equity": stats["Equity Final [$]"],
    "fills": fills,
    "cpuSeconds": usage.ru_utime + usage.ru_stime,
    "residentMegabytes": usage.ru_maxrss / 1024,
}))
