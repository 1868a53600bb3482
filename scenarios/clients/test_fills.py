"""A test in a world of its own, signed with nothing but the standard library."""

import hashlib, hmac, json, time, urllib.request
from conftest import ask

def call(world, method, path, body=None):
    text = "" if body is None else json.dumps(body)
    stamp = str(int(time.time() * 1000))
    message = (stamp + method + path + text).encode()
    headers = {
        "Content-Type": "application/json",
        "X-API-Key": world["apiKey"],
        "X-API-Timestamp": stamp,
        "X-API-Signature": hmac.new(world["apiSecret"].encode(), message, hashlib.sha256).hexdigest(),
    }
    return ask(urllib.request.Request(world["url"] + path, text.encode() or None, headers, method=method))

def test_a_marketable_order_fills(world):
    order = {"side": "buy", "asset": "BTC", "quantity": 0.1, "price": 110000}
    placed = call(world, "POST", "/api/sdk/orders", order)
    assert call(world, "GET", "/api/sdk/orders/" + placed["orderId"])["status"] == "filled"
