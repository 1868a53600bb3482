/*
 * Every point that the specification leaves open or states in two ways, as a reading. `silent` names the place in the
 * specification; `why` argues for the default, and explains an alternative whose name does not. Values are strings,
 * even where they look like numbers. The order is that of the documentation.
 */

/** One way to read an open point of the specification: the default, and what else it could mean. */
export interface Reading {
  readonly default: string
  readonly alternatives: readonly string[]
  readonly silent: string
  readonly why: string
}

const reducibleShape = (resource: string, why: string) =>
  ({
    default: 'full',
    alternatives: ['reduced'],
    silent: `Resources, ${resource}: some responses show fewer fields`,
    why,
  }) as const

/** All readings by their keys. */
export const readingsTable = {
  envelope: {
    default: 'bare',
    alternatives: ['wrapped'],
    silent: 'Endpoints, conflict in general description: wrapped in {data, timestamp} or not',
    why: 'Every example is bare. Wrapped puts successes into {data, timestamp}; errors stay as they are.',
  },
  createdStatus: {
    default: '201',
    alternatives: ['200', 'every-post'],
    silent: 'Endpoints, operations not defined: 200 versus 201 is not shown',
    why: '201 for what creates an order, a batch or a quote. every-post: 201 on the risk checks, too.',
  },
  batchStatus: {
    default: 'same',
    alternatives: ['207', '422'],
    silent: 'Errors: the status of a batch whose items fail is not shown',
    why: 'Items fail individually, so a batch of orders, or a bulk update of quotes, succeeded. 207: when any failed. 422: when all failed.',
  },
  'shapes.price': reducibleShape('Price', 'Reduced leaves out volume24h, high24h and low24h.'),
  'shapes.pair': reducibleShape('Trading pair', 'Reduced is base, quote, minQuantity and maxQuantity.'),
  'shapes.stats': reducibleShape(
    '24-hour statistics entry',
    'Reduced leaves out change, changePercent and vwap.',
  ),
  'shapes.balance': reducibleShape('Balance', 'Reduced leaves out pendingDeposit and pendingWithdrawal.'),
  'shapes.position': reducibleShape('Position', 'Reduced is six fields: no side, values or realized profit.'),
  'shapes.exposure': reducibleShape('Portfolio exposure', 'Reduced has no cashBalance, leverage and side.'),
  'shapes.summary': reducibleShape('Portfolio summary', 'Reduced names the number of positions `positions`.'),
  'shapes.limits': reducibleShape('Risk limits', 'Reduced is five limits, and no default key in its maps.'),
  'shapes.utilization': reducibleShape(
    'Limit utilization',
    'Reduced omits available, byAsset, breachedLimits.',
  ),
  'shapes.maxQuantity': reducibleShape('Maximum quantity', 'Reduced details are three plain numbers.'),
  'shapes.simulation': reducibleShape(
    'Order simulation',
    'Reduced is exposure and position, before and after.',
  ),
  nulls: {
    default: 'explicit',
    alternatives: ['omitted'],
    silent: 'Resources: fields that are null in one place and optional in another',
    why: 'Order says `null when none was given`. Omitted leaves such fields out.',
  },
  'answers.extraFields': {
    default: 'none',
    alternatives: ['some'],
    silent: 'Versioning: whether answers may get further fields without notice is not shown',
    why: 'What is documented. some: `addedLater` in each documented object of a success, to find clients that allow no others.',
  },
  'answers.clientFields': {
    default: 'none',
    alternatives: ['added'],
    silent: "Resources: fields that the models of the venue's published client require",
    why: 'What is documented. added: those fields beside the documented ones, each with its true value; `updatedAt` of a figure that is worked out when asked for is the time of the answer.',
  },
  'percent.unit': {
    default: 'percent',
    alternatives: ['fraction'],
    silent: 'Resources, Price and others: the unit of a percentage',
    why: '2.5 is 2.5 %. Fraction: 0.025.',
  },
  'ids.format': {
    default: 'counter',
    alternatives: ['uuid'],
    silent: 'Resources: identifiers are opaque strings',
    why: 'ord_1 is easy to read in a test. uuid: made from the seed and the counter.',
  },
  'lists.order': {
    default: 'newest',
    alternatives: ['oldest'],
    silent: 'Endpoints, lists: the order is not shown',
    why: 'The first page is the one that people want.',
  },
  'filters.unlisted': {
    default: '400',
    alternatives: ['accept', 'ignore'],
    silent: 'States: the filters leave out rejected, expired and partially_filled',
    why: 'The list of accepted values is a rule. accept: any word; one that no state has matches nothing. ignore: such a word is as if it were not there.',
  },
  'assets.unknown': {
    default: 'omit',
    alternatives: ['404'],
    silent: 'Endpoints: an unknown symbol in an optional filter',
    why: 'A filter that matches nothing gives an empty list; a path gives 404 in any case.',
  },
  'params.outOfRange': {
    default: '400',
    alternatives: ['clamp'],
    silent: 'Limits: what happens beyond page size, depth and page number',
    why: 'A maximum is a rule. clamp: the nearest value that is allowed.',
  },
  'depth.maximum': {
    default: '50',
    alternatives: ['100'],
    silent: 'Limits, order book depth: range 1 to 50, and the published client asks for up to 100',
    why: 'The range is a rule.',
  },
  'quotes.query': {
    default: 'offset',
    alternatives: ['either'],
    silent: 'Endpoints, List quotes: whether page and statuses of the other lists are taken, too',
    why: 'Quotes are listed by status and offset. either: by statuses and page as well.',
  },
  'quotes.fills': {
    default: 'absent',
    alternatives: ['present'],
    silent: 'Endpoints, Quotes: the fills of a quote are not shown',
    why: 'There is no such path. present: GET quotes/:quoteId/fills, by page and limit.',
  },
  'body.names': {
    default: 'camel',
    alternatives: ['either'],
    silent: 'Resources: names are camelCase; whether others are taken for them is not shown',
    why: 'Names are as documented. either: order_type is taken for orderType, and nothing else is loosened.',
  },
  'body.unknown': {
    default: '400',
    alternatives: ['ignore'],
    silent: 'Endpoints: fields that are not documented',
    why: 'A misspelt filter of cancel-all must not cancel everything. ignore: X-Sim-Hint names what was ignored.',
  },
  'body.coerce': {
    default: '400',
    alternatives: ['coerce'],
    silent: 'Resources: numbers are JSON numbers; strings of digits are not mentioned',
    why: 'Values are JSON numbers. coerce: "1.5" is taken for 1.5.',
  },
  'query.unknown': {
    default: '400',
    alternatives: ['ignore'],
    silent: 'Endpoints: query parameters that are not documented',
    why: 'A misspelt filter should be seen.',
  },
  'http.wrongMethod': {
    default: '404',
    alternatives: ['405'],
    silent: 'Errors: the status of a known path with another method',
    why: '405 is not in the table of statuses.',
  },
  'error.typeField': {
    default: 'details.type',
    alternatives: ['code', 'errorCode', 'error', 'none'],
    silent: 'Errors: the field that carries the type name is not shown',
    why: 'It keeps the four documented keys. error: in place of the phrase.',
  },
  'error.message': {
    default: 'string',
    alternatives: ['array', 'list'],
    silent:
      'Errors: message is a string; some frameworks send a list, at times of validation errors (400) alone',
    why: 'The table says string. array: a list with one entry. list: such a list under 400, and a string elsewhere.',
  },
  'error.balanceType': {
    default: 'INSUFFICIENT_BALANCE',
    alternatives: ['RISK_LIMIT_EXCEEDED'],
    silent: 'Errors: the type when only the balance check fails',
    why: 'The type exists, so something must carry it.',
  },
  'error.balanceStatus': {
    default: '422',
    alternatives: ['400', '403'],
    silent: 'Errors: the status of INSUFFICIENT_BALANCE is not shown',
    why: 'The balance is one of the risk checks, and those are 422.',
  },
  'auth.clock': {
    default: 'wall',
    alternatives: ['world', 'either'],
    silent: 'Authentication: the clock of a simulated venue',
    why: 'Clients sign with their own clock, whatever the simulated year is.',
  },
  'auth.futureMs': {
    default: '30000',
    alternatives: ['1000', '5000', 'unlimited'],
    silent: 'Authentication: timestamps from the future are not mentioned',
    why: 'As far ahead as behind; without a bound a request could be replayed for ever.',
  },
  'auth.malformed': {
    default: '401',
    alternatives: ['400'],
    silent: 'Authentication: the status of missing or malformed headers',
    why: '401 is for invalid or missing authentication; the type is that of the header.',
  },
  'auth.timestampStatus': {
    default: '401',
    alternatives: ['400'],
    silent: 'Errors: the status of TIMESTAMP_EXPIRED is not shown',
    why: 'It is a failed authentication.',
  },
  'auth.signatureStatus': {
    default: '401',
    alternatives: ['400', '403'],
    silent: 'Errors: the status of INVALID_SIGNATURE is not shown',
    why: 'It is a failed authentication.',
  },
  'signature.key': {
    default: 'secret',
    alternatives: ['sha256', 'either'],
    silent: 'Authentication: keyed with the API secret; whether as it is or hashed first',
    why: 'The text says the secret. sha256: the lower-case hexadecimal SHA-256 of the secret, as text.',
  },
  'signature.query': {
    default: 'either',
    alternatives: ['include', 'exclude'],
    silent: 'Authentication: whether the query string belongs to the signed path',
    why: 'Both kinds of client can start at once; choose one to find out which yours is.',
  },
  'signature.hex': {
    default: 'lower',
    alternatives: ['any'],
    silent: 'Authentication: upper-case digits',
    why: 'The table says lowercase hexadecimal.',
  },
  'scopes.implied': {
    default: 'none',
    alternatives: ['read'],
    silent: 'Authentication: whether TRADE or MARKET_MAKING keys also pass READ endpoints',
    why: 'The strict choice shows keys that have too few scopes.',
  },
  'rate.algorithm': {
    default: 'fixed',
    alternatives: ['sliding', 'token-bucket'],
    silent: 'Limits: the length of the window and how it is counted',
    why: 'Headers speak of the current window. One second, for each key and category.',
  },
  'rate.clock': {
    default: 'wall',
    alternatives: ['world'],
    silent: 'Limits: the clock of a simulated venue',
    why: 'A client waits in its own time.',
  },
  'rate.resetUnit': {
    default: 'seconds',
    alternatives: ['milliseconds', 'delta'],
    silent: 'Limits: X-RateLimit-Reset is a Unix timestamp; its unit is not shown',
    why: 'Unix timestamps are in seconds. delta: seconds until the window resets.',
  },
  'orders.createResponse': {
    default: 'accepted',
    alternatives: ['final'],
    silent: 'Endpoints, Create order: an order that matches at once',
    why: 'The response is documented as open with nothing filled. final: as it stands after matching.',
  },
  'orders.endOfImmediate': {
    default: 'expired',
    alternatives: ['cancelled'],
    silent: 'Resources, Order: the remainder `is cancelled`; States: `expired (for IOC/FOK)`',
    why: 'The table of states is the more explicit.',
  },
  'orders.rejectMode': {
    default: 'none',
    alternatives: ['stored'],
    silent: 'States: when an order is rejected, and whether it can be read',
    why: 'A failed check makes no order. stored: it is kept, with status rejected.',
  },
  'orders.cancelTerminal': {
    default: '409',
    alternatives: ['404', '422', '200'],
    silent: 'States: cancelling an order that is done',
    why: 'As for amending. 200: answered with the status that it has.',
  },
  'clientId.duplicate': {
    default: '409',
    alternatives: ['allow', 'return'],
    silent: 'Resources, Order: whether clientOrderId is unique',
    why: 'Refusing is the safe way to send again. allow: the newest is found. return: the first is answered.',
  },
  'pairs.violation': {
    default: '400',
    alternatives: ['422'],
    silent: 'Errors: steps, minima and maxima of a trading pair',
    why: 'They are invalid parameters; limits of the account are 422.',
  },
  'quotes.terminal': {
    default: '409',
    alternatives: ['404', '400', '200'],
    silent: 'Errors: operations on a quote that is not active',
    why: 'As for orders. 200: a cancel is answered as done; an update is refused with 409.',
  },
  'quotes.extend': {
    default: 'now',
    alternatives: ['created', 'expiry'],
    silent: 'Endpoints, Update quote: validForSeconds `extends validity`',
    why: 'From now on. created: from the creation. expiry: on top of what is left.',
  },
  'bulk.failure': {
    default: 'full',
    alternatives: ['plain'],
    silent: 'Endpoints, Bulk update quotes: the shape of a failed item',
    why: 'As in a batch of orders: {success, quoteId, error, index}. plain: {success, quoteId}.',
  },
  'transactions.nonTrade': {
    default: 'null',
    alternatives: ['omitted'],
    silent: 'Resources, Transaction: which fields apply to non-trade types',
    why: 'price, side, orderId and feeCurrency are null. omitted: they are left out.',
  },
  'limits.form': {
    default: 'object',
    alternatives: ['list'],
    silent: 'Resources, Risk limits: an object; the published client reads a list of limits',
    why: 'The table says object. list: an entry for each limit with what is used of it; maxLeverage and minOrderSize have no type there.',
  },
  'positions.one': {
    default: 'bare',
    alternatives: ['wrapped'],
    silent: 'Endpoints, positions/:asset: the success body',
    why: 'As balances/:asset. wrapped: {position}.',
  },
  'positions.sign': {
    default: 'absolute',
    alternatives: ['signed'],
    silent: 'Resources, Position: the sign of a short quantity',
    why: '`side` gives the direction. signed: quantity and marketValue are negative when short.',
  },
  'exposure.one': {
    default: 'entry',
    alternatives: ['risk'],
    silent: 'Endpoints, portfolio/exposure/:asset: the body',
    why: 'The entry of byAsset. risk: the shape of risk/exposure/:asset.',
  },
  'fills.side': {
    default: 'present',
    alternatives: ['absent'],
    silent: 'Resources, Fill: side is `present in the detailed fills response`',
    why: 'This is the detailed response.',
  },
  'time.dayStart': {
    default: '00:00Z',
    alternatives: ['rolling'],
    silent: 'Resources, Portfolio summary: where a day begins',
    why: 'The UTC day. rolling: the last 24 hours, for dayPnl.',
  },
  'simulate.prefix': {
    default: 'symbol',
    alternatives: ['btc', 'asset'],
    silent: 'Resources, Order simulation: the names for assets other than BTC',
    why: 'The symbol in lower case. btc: whatever the asset is. asset: assetPosition, assetExposure.',
  },
} as const satisfies { readonly [key: string]: Reading }
