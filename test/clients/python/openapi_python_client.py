"""Makes every call of the generated client; the venue's log says how it was answered."""
import os
from importlib import import_module
from math import ceil, floor

import httpx
from signing import signed
from otcsim_client import Client
from otcsim_client import models as m


class Signed(httpx.Auth):
    requires_request_body = True

    def auth_flow(self, request):
        request.headers.update(signed(request.method, request.url.raw_path.decode(), request.content))
        yield request


client = Client(base_url=os.environ["VENUE_URL"], raise_on_unexpected_status=True, httpx_args={"auth": Signed()})


def call(name, *path, **rest):
    answer = import_module(f"otcsim_client.api.{name}").sync(*path, client=client, **rest)
    assert answer is not None and not isinstance(answer, m.Error), f"{name}: {answer}"
    return answer


price = call("market_data.get_price", "BTC")
low, high = floor(price.mid * 0.9), ceil(price.mid * 1.1)
call("market_data.list_prices", assets="BTC,ETH")
call("market_data.get_order_book", "BTC", depth=5)
call("market_data.list_order_books", assets="BTC,ETH", depth=3)
call("market_data.list_trading_pairs")
call("market_data.list_statistics", asset="BTC")

limit = {"side": "buy", "asset": "BTC", "quantity": 0.1, "price": low}
named = limit | {"clientOrderId": "my-python-order", "metadata": {"desk": "north"}}
market = {"side": "buy", "asset": "BTC", "quantity": 0.1, "orderType": "market"}
bought = call("orders.create_order", body=m.CreateOrder.from_dict(market))
resting = call("orders.create_order", body=m.CreateOrder.from_dict(named))
assert resting.metadata.to_dict() == {"desk": "north"}, resting
call("orders.get_order", resting.order_id)
call("orders.get_order_by_client_id", client_order_id="my-python-order")
call("orders.amend_order", resting.order_id, body=m.AmendOrder(quantity=0.2))
call("orders.list_orders", statuses="open,partially_filled", page=1)
assert call("orders.list_order_fills", bought.order_id).fills[0].quantity > 0
call("orders.cancel_order", resting.order_id)
items = {"orders": [limit, limit | {"quantity": 0.00001}]}
batch = call("orders.create_orders", body=m.CreateOrdersBody.from_dict(items))
assert batch.results[0].order_id and batch.results[1].index == 1 and batch.results[1].error, batch
call("orders.cancel_orders", body=m.CancelOrdersBody(asset="BTC"))
call("orders.cancel_orders")

sides = {"bidPrice": low, "askPrice": high, "bidSize": 0.1, "askSize": 0.1}
quote = call("quotes.submit_quote", body=m.SubmitQuote.from_dict(sides | {"asset": "BTC", "validForSeconds": 60}))
call("quotes.list_quotes", limit=10, offset=0)
call("quotes.get_quote", quote.quote_id)
call("quotes.update_quote", quote.quote_id, body=m.UpdateQuote(bid_size=0.2))
updates = [{"quoteId": quote.quote_id, "askSize": 0.2}, {"quoteId": "none", "askSize": 0.2}]
updated = call("quotes.update_quotes", body=[m.UpdateQuotesBodyItem.from_dict(update) for update in updates])
assert updated.results[0].success and updated.results[1].error, updated
call("quotes.cancel_quote", quote.quote_id)
call("quotes.cancel_quotes", body=m.CancelQuotesBody(asset="BTC"))
call("quotes.cancel_quotes")

call("portfolio.list_balances", assets="BTC,USD")
call("portfolio.get_balance", "BTC")
call("portfolio.list_positions", asset="BTC")
call("portfolio.get_position", "BTC")
call("portfolio.get_exposure")
call("portfolio.get_asset_exposure", "BTC")
call("portfolio.get_summary")
call("portfolio.get_profit_and_loss", period=m.GetProfitAndLossPeriod("7d"))
call("portfolio.list_transactions", limit=10)
call("portfolio.list_trades", start_date="2026-01-01", limit=10)
call("portfolio.get_available", "BTC")

candidate = m.OrderCandidate.from_dict(limit)
call("risk.get_limits")
call("risk.check_order", body=candidate)
call("risk.get_risk_exposure")
call("risk.get_asset_risk_exposure", "BTC")
call("risk.get_utilization")
call("risk.get_max_quantity", side=m.Side.BUY, asset="BTC", price=low)
call("risk.get_metrics")
call("risk.simulate_order", body=candidate)
