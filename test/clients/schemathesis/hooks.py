"""How Schemathesis signs, and what it may count as no failure, each with the reason."""
import atexit
import json
import re
from collections import Counter

import requests
import schemathesis
from schemathesis import checks
from schemathesis.core.failures import Failure
from schemathesis.core.parameters import ParameterLocation
from signing import signed

# Reasons for which the venue refuses a request that the document allows: rules that no document can state.
UNSAYABLE = {
    r"^must be a multiple of |^must be at (least|most) [\d.]+$|^is out of range$": "steps and bounds are data of each pair",
    r"not traded|not a traded asset": "which assets are traded is data of the venue",
    r"^must be lower than askPrice": "OpenAPI cannot compare two fields",
    r"^must be worth at least ": "OpenAPI cannot multiply quantity and price",
    r"^is required for limit orders": "the specification's conditional field; generators cannot read if and then",
    r", which is filled$": "what is filled is the state of an order or a quote",
    r"must be given$": "null counts as left out, and generators cannot read that one of several is needed",
    r"more than 15 significant digits|which is another number": "OpenAPI cannot limit the digits of a number",
}
RISK = "422 is the risk check: it depends on the account's money and limits"
ITEMS = "items of a batch fail individually, inside of an answer of success"
NO_BODY = "null counts as no body where none is required: clients of openapi-generator send it, and make no type of a body or null"
used = Counter()


class Signed(requests.auth.AuthBase):
    def __call__(self, request):
        request.headers.update(signed(request.method, request.path_url, request.body))
        return request


@schemathesis.auth()
class Venue:
    def get(self, case, context):
        return Signed()

    def set(self, case, data, context):
        # A case that is about a wrong or missing header must arrive with it.
        headers = case.meta and case.meta.components.get(ParameterLocation.HEADER)
        if not (headers and headers.mode.is_negative):
            case._auth = data


def excuse_of_refusal(response):
    if response.status_code == 422:
        return RISK
    reason = response.json()["details"].get("reason", "")
    return next((why for pattern, why in UNSAYABLE.items() if re.search(pattern, reason)), None)


def excuse_of_success(response):
    if response.request.body in (b"null", "null"):
        return NO_BODY
    results = response.json().get("results", [])
    return ITEMS if any(not item["success"] for item in results) else None


def excusing(name, excuse_of):
    check = checks.CHECKS.get_one(name)

    def excused(ctx, response, case):
        try:
            return check(ctx, response, case)
        except Failure:
            why = excuse_of(response)
            if why is None:
                raise
            used[why] += 1
            return None

    excused.__name__ = "excused_" + name
    schemathesis.check(excused)


excusing("positive_data_acceptance", excuse_of_refusal)
excusing("negative_data_rejection", excuse_of_success)


@atexit.register
def tell():
    with open("excused.json", "w") as file:
        json.dump(used, file)
