"""Every method of the venue's published client (PyPI zenotc 0.2.2) that the specification covers, against a server.

    otcsim serve --readings @published-client &
    python run.py --url http://127.0.0.1:4010 --key simk_default_desk --secret sims_default_desk

The client is used as it is published: base URL, key and secret are all that it is given. What it makes of an answer is
compared with the documented fields of the very answer, which a hook of httpx notes down. The server must be one of
otcsim, on this machine, with an account that may do everything and a market in BTC and ETH to trade with.
"""

import argparse
import asyncio
import json
import sys
import traceback
from datetime import datetime, timezone
from decimal import Decimal

from zenotc import AsyncZenOTCClient, Config
from zenotc.exceptions import OrderNotFoundError, QuoteNotFoundError, ValidationError, ZenOTCError


class Venue:
    """The client, and the last body that the server answered."""

    def __init__(self, client):
        self.client = client
        self.raw = None
        self.orders = {}
        self.quotes = {}

    def watch(self):
        async def note(response):
            await response.aread()
            self.raw = json.loads(response.content, parse_float=Decimal)

        self.client._http._get_client().event_hooks["response"].append(note)


def same(found, expected, what):
    if found != expected:
        raise AssertionError(f"{what}: {found!r}, but the documented field says {expected!r}")


def amount(value):
    return None if value is None else Decimal(str(value))


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def holds(condition, what):
    if not condition:
        raise AssertionError(what)


def same_order(order, raw):
    same(order.id, raw["orderId"], "id")
    same(order.side, raw["side"], "side")
    same(order.asset, raw["asset"], "asset")
    same(order.status, raw["status"], "status")
    same(order.quantity, amount(raw["quantity"]), "quantity")
    same(order.filled_quantity, amount(raw["filledQuantity"]), "filled_quantity")
    same(order.price, amount(raw["price"]), "price")
    same(order.client_order_id, raw["clientOrderId"], "client_order_id")
    same(order.created_at, instant(raw["createdAt"]), "created_at")
    if "orderType" in raw:
        same(order.order_type, raw["orderType"], "order_type")
        same(order.time_in_force, raw["timeInForce"], "time_in_force")
        same(order.average_price, amount(raw["averagePrice"]), "average_price")


def same_quote(quote, raw):
    same(quote.id, raw["quoteId"], "id")
    holds(quote.user_id != "", "a quote has an owner")
    for name, field in (
        ("bid_price", "bidPrice"),
        ("ask_price", "askPrice"),
        ("bid_size", "bidSize"),
        ("ask_size", "askSize"),
    ):
        same(getattr(quote, name), amount(raw[field]), name)
    if "bidFilled" in raw:
        same(quote.bid_filled, amount(raw["bidFilled"]), "bid_filled")
        same(quote.ask_filled, amount(raw["askFilled"]), "ask_filled")
    same(quote.status, raw["status"], "status")
    same(quote.expires_at, instant(raw["expiresAt"]), "expires_at")


async def prices(venue, asset="BTC"):
    """Bid and ask far from the market, and at it."""
    price = await venue.client.market_data.get_price(asset)
    far = (price.bid * Decimal("0.8")).quantize(Decimal("0.01"))
    return far, price


# Market data


async def get_prices(venue):
    found = await venue.client.market_data.get_prices()
    same([price.asset for price in found], [entry["asset"] for entry in venue.raw["prices"]], "assets")
    for price, raw in zip(found, venue.raw["prices"]):
        for name, field in (
            ("bid", "bid"),
            ("ask", "ask"),
            ("mid", "mid"),
            ("last", "last"),
            ("change_24h", "change24h"),
            ("volume_24h", "volume24h"),
            ("high_24h", "high24h"),
            ("low_24h", "low24h"),
        ):
            same(getattr(price, name), amount(raw[field]), name)
        same(price.timestamp, instant(raw["updatedAt"]), "timestamp")
    some = await venue.client.market_data.get_prices(["eth", "btc"])
    same([price.asset for price in some], ["ETH", "BTC"], "assets in the order asked for")


async def get_price(venue):
    price = await venue.client.market_data.get_price("btc")
    same(price.asset, "BTC", "asset")
    holds(price.bid < price.ask and price.spread_bps > 0, "a spread")


async def get_orderbook(venue):
    book = await venue.client.market_data.get_orderbook("BTC", depth=100)
    same([level.price for level in book.bids], [amount(e["price"]) for e in venue.raw["bids"]], "bids")
    same([level.quantity for level in book.asks], [amount(e["quantity"]) for e in venue.raw["asks"]], "asks")
    holds(len(book.bids) >= 10, "as deep as the book is, up to 100 levels")
    holds(book.best_bid.price < book.best_ask.price, "a spread")


async def get_orderbooks(venue):
    books = await venue.client.market_data.get_orderbooks(["BTC", "ETH"], depth=5)
    same(sorted(books), ["BTC", "ETH"], "assets")
    for asset, book in books.items():
        same(len(book.bids), 5, "depth")
        same(book.timestamp, instant(venue.raw["orderbooks"][asset]["timestamp"]), "timestamp")


async def get_trading_pairs(venue):
    pairs = await venue.client.market_data.get_trading_pairs()
    holds(any(pair["symbol"] == "BTC-USD" and pair["status"] == "active" for pair in pairs), "BTC-USD")


async def get_24h_stats(venue):
    stats = await venue.client.market_data.get_24h_stats("BTC")
    same([entry["asset"] for entry in stats], ["BTC"], "asset")
    holds(stats[0]["low"] <= stats[0]["close"] <= stats[0]["high"], "low <= close <= high")


# Execution


async def create_order(venue):
    far, _ = await prices(venue)
    order = await venue.client.execution.create_order(
        side="buy",
        asset="btc",
        quantity=0.01,
        price=far,
        time_in_force="GTC",
        client_order_id=f"zen-{datetime.now(timezone.utc).timestamp()}",
        metadata={"strategy": "momentum", "order_type": "stays as it is"},
    )
    same_order(order, venue.raw)
    same(order.status, "open", "status")
    same(order.metadata, {"strategy": "momentum", "order_type": "stays as it is"}, "metadata")
    venue.orders["resting"] = order
    # An order that may not rest must not become one that does.
    immediate = await venue.client.execution.create_order("buy", "BTC", 0.01, far, time_in_force="IOC")
    same((immediate.time_in_force, venue.raw["timeInForce"]), ("IOC", "IOC"), "time_in_force")
    after = await venue.client.execution.get_order(immediate.id)
    same(after.status, "expired", "the end of an IOC order that meets nothing")
    market = await venue.client.execution.create_order("buy", "BTC", Decimal("0.02"), order_type="market")
    same((market.order_type, market.price), ("market", None), "a market order")
    venue.orders["market"] = market
    try:
        await venue.client.execution.create_order("buy", "GOLD", 1, 1)
        raise AssertionError("GOLD is not traded")
    except ValidationError as error:
        same(error.status_code, 400, "status")
    try:
        await venue.client.execution.create_order("buy", "BTC", Decimal(1000), far)
        raise AssertionError("an order beyond the balance")
    except ZenOTCError as error:
        same(error.error_code, venue.raw["errorCode"], "error_code")
        holds(error.error_code in ("INSUFFICIENT_BALANCE", "RISK_LIMIT_EXCEEDED"), str(error))


async def create_batch(venue):
    far, _ = await prices(venue)
    batch = await venue.client.execution.create_batch(
        [
            {"side": "buy", "asset": "BTC", "quantity": "0.01", "price": far},
            {"side": "sell", "asset": "ETH", "quantity": "0.1", "price": 90_000, "time_in_force": "GTC"},
            {"side": "buy", "asset": "GOLD", "quantity": 1, "price": 1},
        ]
    )
    summary = venue.raw["summary"]
    same(batch.total_submitted, summary["total"], "total_submitted")
    same(batch.total_successful, summary["successful"], "total_successful")
    same(batch.total_failed, summary["failed"], "total_failed")
    made = [item["orderId"] for item in venue.raw["results"] if item["success"]]
    same([order.id for order in batch.successful], made, "ids")
    same([order.asset for order in batch.successful], ["BTC", "ETH"], "assets")
    same([item["index"] for item in batch.failed], [2], "index of what failed")


async def get_order(venue):
    order = await venue.client.execution.get_order(venue.orders["market"].id)
    same_order(order, venue.raw)
    same((order.status, order.filled_quantity), ("filled", Decimal("0.02")), "a market order after a moment")
    holds(order.is_complete and order.average_price > 0, "it is complete")
    try:
        await venue.client.execution.get_order("no-such-order")
        raise AssertionError("there is no such order")
    except OrderNotFoundError as error:
        same(error.order_id, "no-such-order", "order_id")


async def get_status(venue):
    order = await venue.client.execution.get_status(venue.orders["resting"].id)
    same_order(order, venue.raw)
    same(order.status, "open", "status")


async def get_orders(venue):
    page = await venue.client.execution.get_orders(status=["filled"], asset="btc", side="buy", limit=10)
    pagination = venue.raw["pagination"]
    same((page.total, page.page, page.limit), (pagination["total"], 1, 10), "pages")
    for order, raw in zip(page.data, venue.raw["orders"], strict=True):
        same_order(order, raw)
    holds(venue.orders["market"].id in [order.id for order in page.data], "the market order is among them")
    first = await venue.client.execution.get_orders(page=1, limit=1)
    second = await venue.client.execution.get_orders(page=2, limit=1)
    same((len(first.data), first.has_more), (1, True), "a page of one")
    holds(first.data[0].id != second.data[0].id, "another page has other orders")


async def get_open_orders(venue):
    orders = await venue.client.execution.get_open_orders(asset="BTC")
    holds(venue.orders["resting"].id in [order.id for order in orders], "the resting order is open")
    same({order.status for order in orders}, {"open"}, "statuses")
    same([order.id for order in orders], [raw["orderId"] for raw in venue.raw["orders"]], "ids")


async def get_order_by_client_id(venue):
    resting = venue.orders["resting"]
    order = await venue.client.execution.get_order_by_client_id(resting.client_order_id)
    same_order(order, venue.raw)
    same(order.id, resting.id, "id")


async def get_order_fills(venue):
    fills = await venue.client.execution.get_order_fills(venue.orders["market"].id)
    same(fills, json.loads(json.dumps(venue.raw["fills"], default=float)), "fills")
    same(sum(Decimal(str(fill["quantity"])) for fill in fills), Decimal("0.02"), "quantity filled")


async def amend_order(venue):
    resting = venue.orders["resting"]
    order = await venue.client.execution.amend_order(resting.id, quantity=0.015, price=resting.price - 1)
    same_order(order, venue.raw)
    same((order.quantity, order.price), (Decimal("0.015"), resting.price - 1), "what was changed")


async def cancel_order(venue):
    order = await venue.client.execution.cancel_order(venue.orders["resting"].id)
    same((order.id, order.status), (venue.raw["orderId"], venue.raw["status"]), "the answer")
    same((order.status, order.quantity), ("cancelled", Decimal("0.015")), "the whole order, cancelled")
    holds(instant(venue.raw["cancelledAt"]) == order.updated_at, "cancelledAt")


async def cancel_all(venue):
    far, _ = await prices(venue)
    made = await venue.client.execution.create_order("buy", "BTC", 0.01, far)
    orders = await venue.client.execution.cancel_all(asset="btc", side="buy")
    same([order.id for order in orders], venue.raw["cancelledOrders"], "ids")
    same(len(orders), venue.raw["cancelledCount"], "count")
    holds(made.id in [order.id for order in orders], "the order just made is among them")
    same({order.status for order in orders}, {"cancelled"}, "statuses")
    await venue.client.execution.cancel_all()
    same(await venue.client.execution.get_open_orders(), [], "open orders")


# Market making


async def submit_quote(venue):
    far, price = await prices(venue)
    quote = await venue.client.market_making.submit_quote(
        asset="BTC",
        bid_price=far,
        ask_price=(price.ask * Decimal("1.2")).quantize(Decimal("0.01")),
        bid_size=0.02,
        ask_size=0.01,
        valid_for_seconds=120,
        client_quote_id=f"zen-{datetime.now(timezone.utc).timestamp()}",
        metadata={"desk": "otc"},
    )
    same_quote(quote, venue.raw)
    same(quote.client_quote_id, venue.raw["clientQuoteId"], "client_quote_id")
    same((quote.status, quote.metadata), ("active", {"desk": "otc"}), "the quote")
    venue.quotes["resting"] = quote
    # Its bid is above the market's ask, so it trades at once.
    bid = (price.ask * Decimal("1.01")).quantize(Decimal("0.01"))
    crossing = await venue.client.market_making.submit_quote("BTC", bid, bid * Decimal("1.1") // 1, 0.01, 0.01)
    venue.quotes["crossing"] = crossing


async def get_quote(venue):
    quote = await venue.client.market_making.get_quote(venue.quotes["crossing"].id)
    same_quote(quote, venue.raw)
    same((quote.status, quote.bid_filled), ("partially_filled", Decimal("0.01")), "a quote whose bid traded")
    try:
        await venue.client.market_making.get_quote("no-such-quote")
        raise AssertionError("there is no such quote")
    except QuoteNotFoundError as error:
        same(error.status_code, 404, "status")


async def get_quotes(venue):
    page = await venue.client.market_making.get_quotes(status="active", asset="btc", page=1, limit=1)
    same((page.total, page.page, page.limit), (venue.raw["pagination"]["total"], 1, 1), "pages")
    same([quote.id for quote in page.data], [raw["quoteId"] for raw in venue.raw["quotes"]], "ids")
    same([quote.id for quote in page.data], [venue.quotes["resting"].id], "the newest that is active")
    for quote, raw in zip(page.data, venue.raw["quotes"], strict=True):
        same_quote(quote, raw)
    every = await venue.client.market_making.get_quotes(limit=1, page=2)
    same(every.page, 2, "page")
    holds(every.data[0].id != venue.quotes["crossing"].id, "the second page has the older quote")


async def get_active_quotes(venue):
    quotes = await venue.client.market_making.get_active_quotes(asset="BTC")
    same({quote.status for quote in quotes}, {"active", "partially_filled"}, "statuses")
    by_id = {quote.id: quote for quote in quotes}
    same(by_id[venue.quotes["crossing"].id].bid_filled, Decimal("0.01"), "bid_filled in a list")


async def get_quote_fills(venue):
    answer = await venue.client.market_making.get_quote_fills(venue.quotes["crossing"].id, page=1, limit=50)
    same(sum(Decimal(str(fill["quantity"])) for fill in answer["fills"]), Decimal("0.01"), "quantity filled")
    same({fill["side"] for fill in answer["fills"]}, {"buy"}, "side")


async def update_quote(venue):
    resting = venue.quotes["resting"]
    quote = await venue.client.market_making.update_quote(
        resting.id, bid_price=resting.bid_price - 5, ask_size="0.03"
    )
    same_quote(quote, venue.raw)
    same((quote.bid_price, quote.ask_size), (resting.bid_price - 5, Decimal("0.03")), "what was changed")


async def refresh_quote(venue):
    quote = await venue.client.market_making.refresh_quote(venue.quotes["resting"].id, valid_for_seconds=200)
    same_quote(quote, venue.raw)
    same(venue.raw["validForSeconds"], 200, "validForSeconds")
    holds(quote.expires_at > venue.quotes["resting"].expires_at, "it expires later")


async def cancel_quote(venue):
    quote = await venue.client.market_making.cancel_quote(venue.quotes["resting"].id)
    same((quote.id, quote.status), (venue.raw["quoteId"], "cancelled"), "the answer")
    same(quote.ask_size, Decimal("0.03"), "the whole quote")


async def cancel_all_quotes(venue):
    count = await venue.client.market_making.cancel_all_quotes(asset="btc")
    same(count, venue.raw["cancelledCount"], "count")
    holds(venue.quotes["crossing"].id in venue.raw["cancelledQuotes"], "the other quote is among them")
    same(await venue.client.market_making.cancel_all_quotes(), 0, "nothing is left")


# Portfolio


def same_balance(balance, raw):
    for name, field in (
        ("total", "total"),
        ("available", "available"),
        ("locked", "locked"),
        ("pending_deposit", "pendingDeposit"),
        ("pending_withdrawal", "pendingWithdrawal"),
    ):
        same(getattr(balance, name), amount(raw[field]), name)


async def get_balances(venue):
    balances = await venue.client.portfolio.get_balances()
    for balance, raw in zip(balances, venue.raw["balances"], strict=True):
        same(balance.asset, raw["asset"], "asset")
        same_balance(balance, raw)


async def get_balance(venue):
    far, _ = await prices(venue)
    await venue.client.execution.create_order("buy", "BTC", 0.1, far)
    balance = await venue.client.portfolio.get_balance("usd")
    same_balance(balance, venue.raw)
    holds(balance.locked > 0, "the open order locks cash")


def same_position(position, raw):
    for name, field in (
        ("quantity", "quantity"),
        ("average_entry_price", "averageEntryPrice"),
        ("current_price", "currentPrice"),
        ("market_value", "marketValue"),
        ("unrealized_pnl", "unrealizedPnl"),
        ("cost_basis", "costBasis"),
    ):
        same(getattr(position, name), amount(raw[field]), name)
    same(position.unrealized_pnl_percentage, float(raw["unrealizedPnlPercent"]), "percentage")


async def get_positions(venue):
    positions = await venue.client.portfolio.get_positions()
    holds("BTC" in [position.asset for position in positions], "a position in BTC")
    for position, raw in zip(positions, venue.raw["positions"], strict=True):
        same_position(position, raw)


async def get_position(venue):
    position = await venue.client.portfolio.get_position("btc")
    same_position(position, venue.raw)
    holds(position.is_long, "it is long")
    same(await venue.client.portfolio.get_position("GOLD"), None, "no position")


def same_exposure(summary, raw):
    same(summary.total_long_exposure, amount(raw["longExposure"]), "total_long_exposure")
    same(summary.total_short_exposure, amount(raw["shortExposure"]), "total_short_exposure")
    same(summary.net_exposure, amount(raw["netExposure"]), "net_exposure")
    same(summary.gross_exposure, amount(raw["totalExposure"]), "gross_exposure")
    holds(abs(summary.leverage - float(raw["leverage"])) < 1e-6, "leverage as the client works it out")
    for entry, documented in zip(summary.exposures_by_asset, raw["byAsset"], strict=True):
        same(entry.asset, documented["asset"], "asset")
        same(entry.notional_value, amount(documented["exposure"]), "notional_value")
        same(entry.percentage_of_portfolio, float(documented["weight"]), "percentage_of_portfolio")


async def get_exposure(venue):
    same_exposure(await venue.client.portfolio.get_exposure(), venue.raw)


async def get_exposure_by_asset(venue):
    exposure = await venue.client.portfolio.get_exposure_by_asset("btc")
    same(exposure.notional_value, amount(venue.raw["exposure"]), "notional_value")
    same((exposure.net_exposure, exposure.long_exposure), (exposure.notional_value,) * 2, "a long position")


async def get_summary(venue):
    summary = await venue.client.portfolio.get_summary()
    raw = venue.raw
    same(summary.total_value, amount(raw["totalValue"]), "total_value")
    same(summary.total_pnl, amount(raw["totalPnl"]), "total_pnl")
    same(summary.total_pnl_percentage, float(raw["totalPnlPercent"]), "total_pnl_percentage")
    same(summary.daily_pnl, amount(raw["dayPnl"]), "daily_pnl")
    same(summary.daily_pnl_percentage, float(raw["dayPnlPercent"]), "daily_pnl_percentage")
    same(summary.open_orders_count, raw["openOrders"], "open_orders_count")
    same(len(summary.positions), raw["openPositions"], "positions")
    same(summary.get_balance("USD").total, amount(raw["cashBalance"]), "cash")
    same(summary.exposure.gross_exposure, sum(abs(entry.market_value) for entry in summary.positions), "gross")


async def get_pnl(venue):
    pnl = await venue.client.portfolio.get_pnl("7d")
    same(pnl["period"], "7d", "period")
    holds(pnl["fees"] > 0, "the trades had fees")


async def get_transaction_history(venue):
    history = await venue.client.portfolio.get_transaction_history("BTC", "trade", page=1, limit=5)
    holds(len(history["transactions"]) >= 2, "the trades of the market order and of the quote")
    same({line["type"] for line in history["transactions"]}, {"trade"}, "type")


async def get_trade_history(venue):
    history = await venue.client.portfolio.get_trade_history(
        "BTC", "buy", start_date="2020-01-01", end_date="2100-01-01", limit=5
    )
    ids = {trade["orderId"] for trade in history["trades"]}
    holds(venue.orders["market"].id in ids, "the market order is among them")


async def get_available_for_trading(venue):
    available = await venue.client.portfolio.get_available_for_trading("btc")
    same(available["asset"], "BTC", "asset")
    holds(available["availableForBuy"] > 0, "something can be bought")


# Risk


async def get_limits(venue):
    limits = await venue.client.risk.get_limits()
    for limit, raw in zip(limits.limits, venue.raw["limits"], strict=True):
        same((limit.limit_type, limit.asset), (raw["limitType"], raw["asset"]), "limit")
        same(limit.limit_value, amount(raw["limitValue"]), "limit_value")
    documented = (await venue.client.risk.get_utilization())["utilization"]
    found = limits.get_limit("max_open_orders")
    same((found.current_value, found.limit_value), (documented["openOrders"]["used"], documented["openOrders"]["limit"]), "open orders")
    volume = limits.get_limit("max_daily_volume")
    same(volume.current_value, amount(documented["dailyVolume"]["used"]), "daily volume")


async def get_limit(venue):
    limit = await venue.client.risk.get_limit("max_order_size", "btc")
    same((limit.asset, limit.current_value), ("BTC", Decimal("0.1")), "the largest open order")
    holds(not limit.is_breached and limit.remaining > 0, "not breached")
    same(await venue.client.risk.get_limit("max_loss"), None, "a limit that this venue does not have")


async def pre_trade_check(venue):
    far, _ = await prices(venue)
    fine = await venue.client.risk.pre_trade_check("buy", "btc", 0.01, far)
    same((fine.approved, fine.reason), (True, None), "approved")
    same(sorted(fine.checks_performed), sorted(venue.raw["checks"]), "checks_performed")
    same(fine.estimated_new_exposure, amount(venue.raw["checks"]["exposure"]["afterValue"]), "exposure")
    refused = await venue.client.risk.pre_trade_check("buy", "btc", 1000, far)
    same((refused.approved, refused.reason), (False, "; ".join(venue.raw["rejectionReasons"])), "refused")


async def risk_get_exposure(venue):
    exposure = await venue.client.risk.get_exposure()
    holds(exposure["grossExposure"] > 0 and exposure["byAsset"], "an exposure")


async def risk_get_exposure_by_asset(venue):
    exposure = await venue.client.risk.get_exposure_by_asset("btc")
    same(exposure["openOrders"]["buyQuantity"], 0.1, "the open order")


async def get_utilization(venue):
    utilization = await venue.client.risk.get_utilization()
    same(utilization["utilization"]["openOrders"]["used"], 1, "open orders")


async def get_breached_limits(venue):
    breached = await venue.client.risk.get_breached_limits()
    marked = [raw for raw in venue.raw["limits"] if raw["isBreached"]]
    same(len(breached), len(marked), "breached limits")
    same((await venue.client.risk.get_utilization())["breachedLimits"], [], "as the documented list has them")


async def check_order_quantity(venue):
    far, _ = await prices(venue)
    most = await venue.client.risk.check_order_quantity("buy", "btc", far)
    same((most["side"], Decimal(str(most["price"]))), ("buy", far), "what was asked")
    holds(most["maxQuantity"] > 0, "something can be bought")


async def get_risk_metrics(venue):
    metrics = await venue.client.risk.get_risk_metrics()
    holds(metrics["portfolioValue"] > 0 and "concentration" in metrics, "metrics")


async def simulate_order(venue):
    _, price = await prices(venue)
    simulated = await venue.client.risk.simulate_order("buy", "btc", 0.01, price.ask)
    same(Decimal(str(simulated["orderValue"])), price.ask * Decimal("0.01"), "orderValue")
    holds("btcPosition" in simulated["afterOrder"], "the position afterwards")


# In an order in which each finds what it needs. What the specification covers, and what it does not.
covered = {
    "market_data": [
        get_prices, get_price, get_orderbook, get_orderbooks, get_trading_pairs, get_24h_stats,
    ],
    "execution": [
        create_order, create_batch, get_order, get_status, get_orders, get_open_orders,
        get_order_by_client_id, get_order_fills, amend_order, cancel_order, cancel_all,
    ],
    "market_making": [
        submit_quote, get_quote, get_quotes, get_active_quotes, update_quote, refresh_quote,
        cancel_quote, cancel_all_quotes,
    ],
    "portfolio": [
        get_balances, get_balance, get_positions, get_position, get_exposure, get_exposure_by_asset,
        get_summary, get_pnl, get_transaction_history, get_trade_history, get_available_for_trading,
    ],
    "risk": [
        get_limits, get_limit, pre_trade_check, risk_get_exposure, risk_get_exposure_by_asset,
        get_utilization, get_breached_limits, check_order_quantity, get_risk_metrics, simulate_order,
    ],
}
beyond = {"market_making": [get_quote_fills]}


async def attempt(venue, room, check):
    name = f"{room}.{check.__name__.removeprefix('risk_')}"
    try:
        getattr(getattr(venue.client, room), name.split(".")[1])
        await check(venue)
        print(f"ok      {name}")
        return True
    except Exception as error:  # noqa: BLE001 - whatever goes wrong is a finding
        lines = str(error).strip().splitlines() or [type(error).__name__]
        print(f"failed  {name}: {type(error).__name__}: {' / '.join(lines[:4])}")
        if "--trace" in sys.argv:
            traceback.print_exc()
        return False


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="http://127.0.0.1:4010")
    parser.add_argument("--key", default="simk_default_desk")
    parser.add_argument("--secret", default="sims_default_desk")
    parser.add_argument("--trace", action="store_true", help="show where a check failed")
    given = parser.parse_args()
    config = Config(api_key=given.key, api_secret=given.secret, base_url=given.url)
    async with AsyncZenOTCClient(config=config) as client:
        venue = Venue(client)
        venue.watch()
        passed = total = 0
        for room, checks in covered.items():
            for check in checks:
                total += 1
                passed += await attempt(venue, room, check)
                # Quotes' fills are read while there is a quote that has some.
                if check is get_active_quotes:
                    for extra in beyond["market_making"]:
                        extras = await attempt(venue, "market_making", extra)
        await client.execution.cancel_all()
    print(f"{passed} of {total}" + (" and get_quote_fills, which the specification does not have" if extras else ""))
    return 0 if passed == total and extras else 1


sys.exit(asyncio.run(main()))
