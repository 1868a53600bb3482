"""The cross in backtrader. Arguments: the recording, how often, and the commission."""

import json
import sys
import time

import backtrader as bt
import pandas as pd

path, loops, commission = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
data = pd.read_csv(path)
data.index = pd.to_datetime(data["ts_ms"], unit="ms")
data = data[["open", "high", "low", "close", "volume"]].fillna(0)


class Cross(bt.Strategy):
    def __init__(self):
        self.fast = bt.indicators.EMA(self.data.close, period=20)
        self.slow = bt.indicators.EMA(self.data.close, period=60)

    def next(self):
        is_up = self.fast[0] > self.slow[0]
        if is_up and not self.position:
            self.buy(size=1)
        elif not is_up and self.position:
            self.close()


rates = []
for _ in range(loops):
    began = time.process_time()
    cerebro = bt.Cerebro()
    cerebro.broker.setcash(10_000_000)
    cerebro.broker.setcommission(commission=commission)
    cerebro.adddata(bt.feeds.PandasData(dataname=data))
    cerebro.addstrategy(Cross)
    cerebro.addanalyzer(bt.analyzers.TradeAnalyzer, _name="trades")
    [run] = cerebro.run()
    rates.append(len(data) / (time.process_time() - began))
print(json.dumps({
    "bars": len(data),
    "barsPerSecond": rates,
    "trades": run.analyzers.trades.get_analysis().total.total,
    "equity": cerebro.broker.getvalue(),
}))
