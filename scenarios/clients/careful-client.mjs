import { createHash, createHmac } from 'node:crypto'
import { check, run, sleep, surroundings, test } from './tap.mjs'

/*
 * A client as it should be written: it relies only on what the specification promises. It must work under every reading
 * of the open points, and survive a lost answer.
 */

const { baseUrl, apiKey, apiSecret } = surroundings()
const errorTypes = [
  ...['INVALID_API_KEY', 'INVALID_SIGNATURE', 'TIMESTAMP_EXPIRED', 'INSUFFICIENT_SCOPE'],
  ...[
    'RATE_LIMIT_EXCEEDED',
    'INSUFFICIENT_BALANCE',
    'ORDER_NOT_FOUND',
    'QUOTE_NOT_FOUND',
    'RISK_LIMIT_EXCEEDED',
  ],
]

/** Discovered at run time: what is signed and with what, and how far the venue's clock is ahead of ours. */
let signsQuery = true
let hashesSecret = false
let aheadMillis = 0

async function send(method, target, body, headers = {}) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const timestamp = String(Date.now() + aheadMillis)
  const signed = timestamp + method + (signsQuery ? target : target.split('?')[0]) + text
  const response = await fetch(baseUrl + target, {
    method,
    body: text === '' ? undefined : text,
    headers: {
      ...(text === '' ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
      'X-API-Key': apiKey,
      'X-API-Timestamp': timestamp,
      'X-API-Signature': createHmac('sha256', hmacKey()).update(signed).digest('hex'),
    },
  })
  return { status: response.status, headers: response.headers, body: unwrapped(await response.json()) }
}

const hmacKey = () => (hashesSecret ? createHash('sha256').update(apiSecret).digest('hex') : apiSecret)

/** Answers may be wrapped in an envelope or not. */
function unwrapped(body) {
  const isWrapped = body !== null && typeof body === 'object' && 'data' in body && 'timestamp' in body
  return isWrapped ? body.data : body
}

/** The name of the type, wherever it is in the error; null when there is none. */
const typeOf = ({ body }) => errorTypes.find((type) => JSON.stringify(body).includes(`"${type}"`)) ?? null
const isSuccess = ({ status }) => status >= 200 && status < 300
const isRefusal = ({ status }) => status >= 400 && status < 500

/** Sends a request, again on a rate limit or when the venue signs in another way or has another clock. */
async function call(method, target, body, headers) {
  let mayResign = target.includes('?')
  let maySetClock = true
  let mayHash = true
  for (let attempt = 0; ; attempt += 1) {
    const answer = await heard(method, target, body, headers, attempt)
    if (answer === null) continue
    if (answer.status === 429 && attempt < 40) await sleep(waitMillis(answer))
    else if (isDenied(answer) && maySetClock) {
      maySetClock = false
      const venueTime = answer.headers.get('x-sim-time') ?? answer.headers.get('date')
      aheadMillis = venueTime === null || aheadMillis !== 0 ? 0 : Date.parse(venueTime) - Date.now()
    } else if (isDenied(answer) && mayResign) {
      mayResign = false
      aheadMillis = 0
      maySetClock = true
      signsQuery = !signsQuery
    } else if (isDenied(answer) && mayHash) {
      mayHash = false
      aheadMillis = 0
      maySetClock = true
      mayResign = target.includes('?')
      hashesSecret = !hashesSecret
    } else return answer
  }
}

/** The answer, or null when it was lost and the request may be repeated. A failure of the service is not an answer. */
async function heard(method, target, body, headers, attempt) {
  const isHarmless = method === 'GET' && attempt < 5
  try {
    const answer = await send(method, target, body, headers)
    if (answer.status < 500) return answer
    if (!isHarmless) throw new Error(`${method} ${target}: ${answer.status}`)
  } catch (error) {
    if (!isHarmless) throw error
  }
  await sleep(50)
  return null
}

/** Without a type name, a wrong signature and an expired timestamp cannot be distinguished. */
const isDenied = (answer) =>
  [400, 401, 403].includes(answer.status) &&
  !['INVALID_API_KEY', 'INSUFFICIENT_SCOPE', 'INSUFFICIENT_BALANCE'].includes(typeOf(answer) ?? '') &&
  (answer.status === 401 || ['TIMESTAMP_EXPIRED', 'INVALID_SIGNATURE'].includes(typeOf(answer) ?? ''))

/** The reset may be a time in seconds or milliseconds, or a span. Waits are bounded. */
function waitMillis({ headers }) {
  const reset = Number(headers.get('x-ratelimit-reset') ?? 0)
  const now = Date.now() + aheadMillis
  const wait = reset > 1e12 ? reset - now : reset > 1e9 ? reset * 1000 - now : reset * 1000
  return Math.min(Math.max(wait, 50), 1100)
}

let count = 0
const freshId = () => `careful-${Date.now()}-${++count}`
const orders = '/api/sdk/orders'
const cents = (price) => Math.round(price * 100) / 100

async function bookOf(asset) {
  const { body } = await call('GET', `/api/sdk/market-data/orderbook/${asset}?depth=1`)
  const [bid, ask] = [body.bids?.[0]?.price, body.asks?.[0]?.price]
  check(typeof ask === 'number' || typeof bid === 'number', 'the book has a side')
  return { bid: bid ?? ask, ask: ask ?? bid }
}

/** An order by its client id, or null. */
async function find(clientOrderId) {
  const found = await call('GET', `${orders}/by-client-id?clientOrderId=${clientOrderId}`)
  return isSuccess(found) ? found.body : null
}

/** Places an order exactly once, even when answers are lost. */
async function place(order, headers) {
  const clientOrderId = freshId()
  const body = { ...order, clientOrderId }
  let sent = null
  try {
    sent = await call('POST', orders, body, headers)
  } catch {
    const found = await find(clientOrderId)
    if (found !== null) return found
    sent = await call('POST', orders, body)
  }
  check(isSuccess(sent), `the order is taken: ${sent.status} ${JSON.stringify(sent.body)}`)
  return sent.body
}

async function untilDone(orderId) {
  for (let look = 0; look < 20; look += 1) {
    const { body } = await call('GET', `${orders}/${orderId}`)
    if (!['open', 'partially_filled'].includes(body.status)) return body
    await sleep(50)
  }
  throw new Error(`${orderId} is not done`)
}

test('places an order, finds it and cancels it', async () => {
  const { bid } = await bookOf('BTC')
  const placed = await place({ side: 'buy', asset: 'BTC', quantity: 0.01, price: cents(bid * 0.9) })
  const { body } = await call('GET', `${orders}/${placed.orderId}`)
  check(body.status === 'open' && body.quantity === 0.01, 'it rests')
  const cancelled = await call('DELETE', `${orders}/${placed.orderId}`)
  check(isSuccess(cancelled), 'it is cancelled')
  check((await untilDone(placed.orderId)).status === 'cancelled', 'and stays so')
})

test('cancels what is done without harm', async () => {
  const { bid } = await bookOf('BTC')
  const placed = await place({ side: 'buy', asset: 'BTC', quantity: 0.01, price: cents(bid * 0.9) })
  await call('DELETE', `${orders}/${placed.orderId}`)
  const again = await call('DELETE', `${orders}/${placed.orderId}`)
  check(isSuccess(again) || isRefusal(again), 'the second time is an answer, too')
  check((await untilDone(placed.orderId)).status === 'cancelled', 'it is still cancelled')
})

test('trades, and reads what it got', async () => {
  const { ask } = await bookOf('BTC')
  const placed = await place({ side: 'buy', asset: 'BTC', quantity: 0.01, price: cents(ask * 1.01) })
  const done = await untilDone(placed.orderId)
  check(done.status === 'filled' && done.filledQuantity === 0.01, `it is filled: ${done.status}`)
  const { body } = await call('GET', `${orders}/${placed.orderId}/fills`)
  const fills = Array.isArray(body) ? body : body.fills
  check(Math.abs(fills.reduce((sum, fill) => sum + fill.quantity, 0) - 0.01) < 1e-9, 'the fills add up')
})

test('knows that what an order could not fill at once is gone', async () => {
  const { bid } = await bookOf('BTC')
  const order = { side: 'buy', asset: 'BTC', quantity: 0.01, price: cents(bid * 0.9), timeInForce: 'IOC' }
  const { status } = await untilDone((await place(order)).orderId)
  check(['expired', 'cancelled'].includes(status), `it has ended: ${status}`)
})

test('reads a refusal, however it is told', async () => {
  const { bid } = await bookOf('BTC')
  const order = { side: 'buy', asset: 'BTC', quantity: 9000, price: cents(bid), clientOrderId: freshId() }
  const refused = await call('POST', orders, order)
  check(isRefusal(refused), `it is refused: ${refused.status}`)
  const type = typeOf(refused)
  check(
    type === null || ['INSUFFICIENT_BALANCE', 'RISK_LIMIT_EXCEEDED'].includes(type),
    `and says why, if at all: ${type}`,
  )
})

test('takes each item of a batch by itself', async () => {
  const { bid } = await bookOf('BTC')
  const good = { side: 'buy', asset: 'BTC', quantity: 0.01, price: cents(bid * 0.9) }
  const { body } = await call('POST', `${orders}/batch`, { orders: [good, { ...good, quantity: -1 }] })
  const results = Array.isArray(body) ? body : (body.results ?? body.orders ?? [])
  check(results.length === 2, 'both are answered')
  check(results[0].success === true && results[1].success === false, 'one is taken, one is not')
})

test('finds its newest order, whichever way lists go', async () => {
  const { bid } = await bookOf('BTC')
  const placed = await place({ side: 'buy', asset: 'BTC', quantity: 0.02, price: cents(bid * 0.9) })
  const { body } = await call('GET', `${orders}?statuses=open,partially_filled&limit=100`)
  const listed = Array.isArray(body) ? body : (body.orders ?? [])
  check(
    listed.some((order) => order.orderId === placed.orderId),
    'it is in the list',
  )
})

test('makes a quote and takes it back', async () => {
  const { bid, ask } = await bookOf('BTC')
  const quote = {
    asset: 'BTC',
    bidPrice: cents(bid * 0.9),
    askPrice: cents(ask * 1.1),
    bidSize: 0.01,
    askSize: 0.01,
  }
  const made = await call('POST', '/api/sdk/quotes', { ...quote, validForSeconds: 60 })
  check(isSuccess(made), `it is taken: ${made.status} ${JSON.stringify(made.body)}`)
  const changed = await call('PATCH', `/api/sdk/quotes/${made.body.quoteId}`, { bidPrice: cents(bid * 0.89) })
  check(isSuccess(changed) && changed.body.bidPrice === cents(bid * 0.89), 'it is moved')
  check(isSuccess(await call('DELETE', `/api/sdk/quotes/${made.body.quoteId}`)), 'it is taken back')
})

test('reads what it has', async () => {
  const balances = await call('GET', '/api/sdk/portfolio/balances/USD')
  check(balances.body.available > 0, 'there is money')
  const position = await call('GET', '/api/sdk/portfolio/positions/BTC')
  const { quantity } = position.body.position ?? position.body
  check(typeof quantity === 'number', 'there is a position')
})

test('is not fooled by a lost answer', async () => {
  const { bid } = await bookOf('BTC')
  const order = { side: 'buy', asset: 'BTC', quantity: 0.03, price: cents(bid * 0.88) }
  const placed = await place(order, { Prefer: 'fault=reset_peer;phase=after' })
  const { body } = await call('GET', `${orders}?statuses=open,partially_filled&limit=100`)
  const same = (body.orders ?? body).filter((other) => other.price === order.price && other.quantity === 0.03)
  check(same.length === 1 && same[0].orderId === placed.orderId, `it is there once: ${same.length}`)
})

test('waits when it is told to', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => call('GET', '/api/sdk/portfolio/balances/USD')),
  )
  check(answers.every(isSuccess), 'every read is answered in the end')
})

await run()
