"""Makes every call of the generated client; the venue's log says how it was answered."""
import os
from math import ceil, floor

import openapi_client as m
import urllib3
from signing import signed

URL = os.environ["VENUE_URL"]


class Signed(urllib3.PoolManager):
    def request(self, method, url, body=None, headers=None, **rest):
        own = signed(method, url.removeprefix(URL), body)
        return super().request(method, url, body=body, headers={**(headers or {}), **own}, **rest)


client = m.ApiClient(m.Configuration(host=URL))
client.rest_client.pool_manager = Signed()
orders, quotes, market_data = m.OrdersApi(client), m.QuotesApi(client), m.MarketDataApi(client)
portfolio, risk = m.PortfolioApi(client), m.RiskApi(client)

price = market_data.get_price("BTC")
low, high = floor(price.mid * 0.9), ceil(price.mid * 1.1)
market_data.list_prices(assets="BTC,ETH")
market_data.get_order_book("BTC", depth=5)
market_data.list_order_books(assets="BTC,ETH", depth=3)
market_data.list_trading_pairs()
market_data.list_statistics(asset="BTC")

limit = m.CreateOrder(side=m.Side.BUY, asset="BTC", quantity=0.1, price=low)
bought = orders.create_order(m.CreateOrder(side=m.Side.BUY, asset="BTC", quantity=0.1, order_type=m.OrderType.MARKET))
named = {"client_order_id": "my-generated-order", "metadata": {"desk": "north"}}
resting = orders.create_order(limit.model_copy(update=named))
assert resting.metadata == {"desk": "north"}, resting
orders.get_order(resting.order_id)
orders.get_order_by_client_id("my-generated-order")
orders.amend_order(resting.order_id, m.AmendOrder(quantity=0.2))
orders.list_orders(statuses="open,partially_filled", page=1)
assert orders.list_order_fills(bought.order_id).fills[0].quantity > 0
orders.cancel_order(resting.order_id)
small = limit.model_copy(update={"quantity": 0.00001})
batch = orders.create_orders(m.CreateOrdersRequest(orders=[limit, small]))
assert batch.results[0].order_id and batch.results[1].index == 1 and batch.results[1].error, batch
orders.cancel_orders(cancel_orders_request=m.CancelOrdersRequest(asset="BTC"))
orders.cancel_orders()

quote = quotes.submit_quote(m.SubmitQuote(asset="BTC", bid_price=low, ask_price=high, bid_size=0.1, ask_size=0.1))
quotes.list_quotes(limit=10, offset=0)
quotes.get_quote(quote.quote_id)
quotes.update_quote(quote.quote_id, m.UpdateQuote(bid_size=0.2))
updates = [m.UpdateQuotesRequestInner(quote_id=each, ask_size=0.2) for each in (quote.quote_id, "none")]
updated = quotes.update_quotes(updates)
assert updated.results[0].success and updated.results[1].error, updated
quotes.cancel_quote(quote.quote_id)
quotes.cancel_quotes(cancel_quotes_request=m.CancelQuotesRequest(asset="BTC"))
quotes.cancel_quotes()

portfolio.list_balances(assets="BTC,USD")
portfolio.get_balance("BTC")
portfolio.list_positions(asset="BTC")
portfolio.get_position("BTC")
portfolio.get_exposure()
portfolio.get_asset_exposure("BTC")
portfolio.get_summary()
portfolio.get_profit_and_loss(period="7d")
portfolio.list_transactions(limit=10)
portfolio.list_trades(start_date="2026-01-01", limit=10)
portfolio.get_available("BTC")

candidate = m.OrderCandidate(side=m.Side.BUY, asset="BTC", quantity=0.1, price=low)
risk.get_limits()
risk.check_order(candidate)
risk.get_risk_exposure()
risk.get_asset_risk_exposure("BTC")
risk.get_utilization()
risk.get_max_quantity(side=m.Side.BUY, asset="BTC", price=low)
risk.get_metrics()
risk.simulate_order(candidate)
