"""ccxt's unified calls on the venue's answers."""
import json
import os

import ccxt
from venue import Venue


def refusal(call):
    try:
        call()
    except ccxt.BaseError as error:
        return type(error)


SYMBOL = "BTC/USD"
venue = Venue({"apiKey": os.environ["VENUE_KEY"], "secret": os.environ["VENUE_SECRET"]})
told = {"load_markets": SYMBOL in venue.load_markets()}
ticker, book = venue.fetch_ticker(SYMBOL), venue.fetch_order_book(SYMBOL, 5)
told["fetch_ticker"] = 0 < ticker["bid"] < ticker["ask"] and ticker["low"] <= ticker["last"] <= ticker["high"]
told["fetch_order_book"] = book["bids"] == sorted(book["bids"], reverse=True) and len(book["bids"]) == 5
before = venue.fetch_balance()
bought = venue.fetch_order(venue.create_order(SYMBOL, "market", "buy", 0.1234)["id"])
told["create_order market"] = bought["status"] == "closed" and bought["filled"] == 0.1234 and bought["average"] > 0
trades = [trade for trade in venue.fetch_my_trades(SYMBOL) if trade["order"] == bought["id"]]
told["fetch_my_trades"] = round(sum(trade["cost"] for trade in trades), 6) == round(bought["cost"], 6)
after = venue.fetch_balance()
told["fetch_balance"] = round(after["BTC"]["total"] - before["BTC"]["total"], 8) == 0.1234
resting = venue.create_order(SYMBOL, "limit", "buy", 0.1, ticker["bid"] * 0.9, {"clientOrderId": "my-ccxt-order"})
told["create_order limit"] = resting["status"] == "open" and resting["remaining"] == 0.1
told["fetch_open_orders"] = resting["id"] in [order["id"] for order in venue.fetch_open_orders(SYMBOL)]
told["edit_order"] = venue.edit_order(resting["id"], SYMBOL, "limit", "buy", 0.2)["amount"] == 0.2
venue.cancel_order(resting["id"], SYMBOL)
told["cancel_order"] = venue.fetch_order(resting["id"])["status"] == "canceled"
told["OrderNotFound"] = refusal(lambda: venue.fetch_order("ord_none")) is ccxt.OrderNotFound
order = ("SOL/USD", "limit", "sell", 2100, 200)
told["InsufficientFunds"] = refusal(lambda: venue.create_order(*order)) is ccxt.InsufficientFunds
stranger = Venue({"apiKey": os.environ["VENUE_KEY"], "secret": "another"})
told["AuthenticationError"] = refusal(stranger.fetch_balance) is ccxt.AuthenticationError
print(json.dumps(told))
