"""A client that lives for ten minutes in a test: it quotes each two seconds and reads its fills each second."""

import asyncio, time
import pytest
from conftest import admin
from test_fills import call

pytest.importorskip("time_machine", reason="pip install time-machine")
from virtual_time import live_for

async def quote(world):
    while True:
        price = await asyncio.to_thread(call, world, "GET", "/api/sdk/market-data/prices/BTC")
        sides = {"bidPrice": round(price["mid"] * 0.9999), "askPrice": round(price["mid"] * 1.0001)}
        form = {"asset": "BTC", **sides, "bidSize": 0.001, "askSize": 0.001, "validForSeconds": 2}
        for _ in range(30):  # a minute, after which the market has left these prices
            await asyncio.sleep(2)
            await asyncio.to_thread(call, world, "POST", "/api/sdk/quotes", form)

async def read_fills(world):
    while True:
        await asyncio.sleep(1)
        await asyncio.to_thread(call, world, "GET", "/api/sdk/portfolio/trades?limit=10")

@pytest.mark.parametrize("world", [{"account": "maker", "clock": {"mode": "follow"}}], indirect=True)
def test_a_client_lives_for_ten_minutes(world, venue):
    live_for(600, world["now"], quote(world), read_fills(world))
    made = admin(venue, "GET", "/worlds/" + world["id"])
    assert made["now"][14:19] == "10:00"
    count = admin(venue, "POST", f"/worlds/{world['id']}/requests/count", {"match": {"method": "POST", "status": 201}})
    assert count["count"] == 300
