"""Signs requests, for whichever client has made them."""
import hashlib
import hmac
import os
import time


def signed(method: str, target: str, body: bytes | str | None) -> dict[str, str]:
    """The headers of a request; the target is its path with its query."""
    text = body.encode() if isinstance(body, str) else body or b""
    timestamp = str(int(time.time() * 1000))
    message = (timestamp + method + target).encode() + text
    signature = hmac.new(os.environ["VENUE_SECRET"].encode(), message, hashlib.sha256).hexdigest()
    return {
        "X-API-Key": os.environ["VENUE_KEY"],
        "X-API-Timestamp": timestamp,
        "X-API-Signature": signature,
    }
