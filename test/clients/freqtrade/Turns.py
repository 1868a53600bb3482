"""Buys what it has not, and sells it a few seconds later; ETH waits in vain for a lower price, until its time is over."""
from freqtrade.strategy import IStrategy


class Turns(IStrategy):
    timeframe = "1m"
    process_only_new_candles = False
    can_short = False
    minimal_roi = {"0": 100}
    stoploss = -0.99
    startup_candle_count = 1
    order_types = {"entry": "limit", "exit": "market", "stoploss": "market", "stoploss_on_exchange": False}

    def populate_indicators(self, dataframe, metadata):
        return dataframe

    def populate_entry_trend(self, dataframe, metadata):
        dataframe["enter_long"] = 1
        return dataframe

    def populate_exit_trend(self, dataframe, metadata):
        dataframe["exit_long"] = 0
        return dataframe

    def custom_entry_price(self, pair, trade, current_time, proposed_rate, entry_tag, side, **rest):
        return proposed_rate * 0.985 if pair == "ETH/USD" else proposed_rate

    def custom_exit(self, pair, trade, current_time, current_rate, current_profit, **rest):
        return "turn" if (current_time - trade.date_last_filled_utc).total_seconds() > 6 else None
