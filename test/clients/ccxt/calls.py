"""ccxt's own signing of one exchange under the venue's headers, and its unified calls on the venue's answers."""
import json
import os

import ccxt

ERRORS = {
    "INVALID_SIGNATURE": ccxt.AuthenticationError,
    "INSUFFICIENT_BALANCE": ccxt.InsufficientFunds,
    "ORDER_NOT_FOUND": ccxt.OrderNotFound,
}
STATUSES = {"partially_filled": "open", "filled": "closed", "cancelled": "canceled"}


class Venue(ccxt.bitvavo):
    """Base class, transport, throttle and signature are ccxt's; what follows is what an adapter has to say of a venue."""

    def describe(self):
        own = {"id": "venue", "version": "api/sdk", "rateLimit": 1, "urls": {"api": {"private": os.environ["VENUE_URL"]}}}
        return self.deep_extend(super().describe(), own)

    def ask(self, method, path, **params):
        return self.request(path, ["private"], method, params)

    def sign(self, path, api=("public",), method="GET", params={}):
        signed = super().sign(path, api, method, params)
        heads = {"KEY": "X-API-Key", "SIGNATURE": "X-API-Signature", "TIMESTAMP": "X-API-Timestamp"}
        given = signed["headers"]
        signed["headers"] = {head: given["BITVAVO-ACCESS-" + name] for name, head in heads.items()}
        signed["headers"]["Content-Type"] = "application/json"
        return signed

    def handle_errors(self, code, reason, url, method, headers, body, response, request_headers, request_body):
        if code >= 400:
            raise ERRORS.get(response["details"].get("type"), ccxt.ExchangeError)(body)

    def fetch_time(self, params={}):
        return self.milliseconds()

    def fetch_currencies(self, params={}):
        return {}

    def fetch_markets(self, params={}):
        return [
            self.safe_market_structure({
                "id": pair["symbol"], "symbol": f"{pair['base']}/{pair['quote']}", "base": pair["base"],
                "quote": pair["quote"], "type": "spot", "spot": True, "active": pair["status"] == "active",
                "precision": {"amount": pair["quantityStep"], "price": pair["priceStep"]},
                "limits": {"amount": {"min": pair["minQuantity"], "max": pair["maxQuantity"]}},
            })
            for pair in self.ask("GET", "market-data/trading-pairs")["pairs"]
        ]

    def fetch_ticker(self, symbol, params={}):
        price = self.ask("GET", "market-data/prices/{asset}", asset=self.market(symbol)["base"])
        ticker = {"symbol": symbol, "timestamp": self.parse8601(price["updatedAt"]), "percentage": price["change24h"],
                  "bid": price["bid"], "ask": price["ask"], "last": price["last"], "baseVolume": price["volume24h"],
                  "high": price["high24h"], "low": price["low24h"], "info": price}
        return self.safe_ticker(ticker, self.market(symbol))

    def fetch_order_book(self, symbol, limit=None, params={}):
        book = self.ask("GET", "market-data/orderbook/{asset}", asset=self.market(symbol)["base"], depth=limit or 10)
        at = self.parse8601(book["timestamp"])
        return self.parse_order_book(book, symbol, at, "bids", "asks", "price", "quantity")

    def parse_order(self, order, market=None):
        return self.safe_order({
            "id": order["orderId"], "clientOrderId": order["clientOrderId"], "symbol": order["asset"] + "/USD",
            "timestamp": self.parse8601(order["createdAt"]), "side": order["side"], "price": order["price"],
            "type": order.get("orderType"), "timeInForce": order.get("timeInForce"), "amount": order["quantity"],
            "filled": order["filledQuantity"], "average": order.get("averagePrice"),
            "status": STATUSES.get(order["status"], order["status"]), "info": order,
        }, market)

    def create_order(self, symbol, type, side, amount, price=None, params={}):
        order = {"side": side, "asset": self.market(symbol)["base"], "orderType": type,
                 "quantity": float(self.amount_to_precision(symbol, amount))}
        if price is not None:
            order["price"] = float(self.price_to_precision(symbol, price))
        return self.parse_order(self.ask("POST", "orders", **order, **params))

    def edit_order(self, id, symbol, type, side, amount=None, price=None, params={}):
        return self.parse_order(self.ask("PATCH", "orders/{orderId}", orderId=id, quantity=amount))

    def cancel_order(self, id, symbol=None, params={}):
        return self.ask("DELETE", "orders/{orderId}", orderId=id)

    def fetch_order(self, id, symbol=None, params={}):
        return self.parse_order(self.ask("GET", "orders/{orderId}", orderId=id))

    def fetch_open_orders(self, symbol=None, since=None, limit=None, params={}):
        answer = self.ask("GET", "orders", statuses="open,partially_filled", limit=100)
        return self.parse_orders(answer["orders"], None, since, limit)

    def fetch_balance(self, params={}):
        rows = self.ask("GET", "portfolio/balances")["balances"]
        parts = {"free": "available", "used": "locked", "total": "total"}
        return self.safe_balance({row["asset"]: {to: str(row[of]) for to, of in parts.items()} for row in rows})

    def fetch_my_trades(self, symbol=None, since=None, limit=None, params={}):
        trades = self.ask("GET", "portfolio/trades", asset=self.market(symbol)["base"])["trades"]
        return [self.safe_trade({
            "id": trade["tradeId"], "order": trade["orderId"], "symbol": symbol, "side": trade["side"],
            "timestamp": self.parse8601(trade["timestamp"]), "price": str(trade["price"]),
            "amount": str(trade["quantity"]), "fee": {"cost": str(trade["fee"]), "currency": trade["feeCurrency"]},
        }) for trade in trades]


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
