"""ccxt's own signing of one exchange under the venue's headers, and what an adapter has to say of a venue."""
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
