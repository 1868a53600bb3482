import { createHmac } from 'node:crypto'
import { check, run, sleep, surroundings, test } from '../../scenarios/clients/tap.mjs'

/*
 * A client as many are written: against the answers that it happened to get. It assumes one envelope, one status and one
 * place of the error's type, resends without a client id when an answer is lost, and computes the end of a rate limit
 * with its own clock.
 */

const { baseUrl, apiKey, apiSecret } = surroundings()

async function send(method, target, body, headers = {}) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const timestamp = String(Date.now())
  const signature = createHmac('sha256', apiSecret)
    .update(timestamp + method + target + text)
    .digest('hex')
  const response = await fetch(baseUrl + target, {
    method,
    body: text === '' ? undefined : text,
    headers: {
      'Content-Type': 'application/json',
      ...headers,
      'X-API-Key': apiKey,
      'X-API-Timestamp': timestamp,
      'X-API-Signature': signature,
    },
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** Waits until its own clock says that the limit is over, and asks once more. */
async function call(method, target, body, headers) {
  const answer = await send(method, target, body, headers)
  if (answer.status !== 429) return answer
  const waitMillis = Number(answer.headers.get('x-ratelimit-reset')) * 1000 - Date.now()
  if (waitMillis > 3000) throw new Error(`would have to wait for ${waitMillis} ms`)
  await sleep(waitMillis + 20)
  return send(method, target, body, headers)
}

/** Resends a request without an answer. */
async function insist(method, target, body, headers) {
  try {
    return await call(method, target, body, headers)
  } catch {
    return call(method, target, body)
  }
}

const orders = '/api/sdk/orders'
const cents = (price) => Math.round(price * 100) / 100

async function bookOf(asset) {
  const { body } = await call('GET', `/api/sdk/market-data/orderbook/${asset}?depth=1`)
  return { bid: body.bids[0].price, ask: body.asks[0].price }
}

test('places an order', async () => {
  const { bid } = await bookOf('BTC')
  const placed = await call('POST', orders, {
    side: 'buy',
    asset: 'BTC',
    quantity: 0.01,
    price: cents(bid * 0.9),
  })
  check(placed.status === 201, `created is 201, not ${placed.status}`)
  check(placed.body.clientOrderId === null, 'no client id is null')
  const cancelled = await call('DELETE', `${orders}/${placed.body.orderId}`)
  check(cancelled.status === 200, 'it is cancelled')
  const again = await call('DELETE', `${orders}/${placed.body.orderId}`)
  check(again.status === 409, `what is cancelled is a conflict, not ${again.status}`)
})

test('sees its order open before it is filled', async () => {
  const { ask } = await bookOf('BTC')
  const placed = await call('POST', orders, {
    side: 'buy',
    asset: 'BTC',
    quantity: 0.01,
    price: cents(ask * 1.01),
  })
  check(placed.body.status === 'open', `a new order is open, not ${placed.body.status}`)
})

test('knows how an order ends that fills nothing', async () => {
  const { bid } = await bookOf('BTC')
  const order = { side: 'buy', asset: 'BTC', quantity: 0.01, price: cents(bid * 0.9), timeInForce: 'IOC' }
  const placed = await call('POST', orders, order)
  const { body } = await call('GET', `${orders}/${placed.body.orderId}`)
  check(body.status === 'expired', `it is expired, not ${body.status}`)
})

test('reads why it was refused', async () => {
  const refused = await call('POST', orders, { side: 'buy', asset: 'BTC', quantity: 5, price: 90_000_000 })
  check(refused.status === 422, `a limit is 422, not ${refused.status}`)
  check(refused.body.details.type === 'RISK_LIMIT_EXCEEDED', `the type is ${refused.body.details.type}`)
  check(typeof refused.body.message === 'string', 'the message is a text')
})

test('takes the first order of the list for its newest', async () => {
  const { bid } = await bookOf('BTC')
  const placed = await call('POST', orders, {
    side: 'buy',
    asset: 'BTC',
    quantity: 0.02,
    price: cents(bid * 0.9),
  })
  const { body } = await call('GET', `${orders}?limit=5`)
  check(body.orders[0].orderId === placed.body.orderId, 'it is the first')
})

test('reads its exposure', async () => {
  const { body } = await call('GET', '/api/sdk/portfolio/positions/BTC')
  check(body.asset === 'BTC' && body.quantity >= 0, 'the position is there as it is')
})

test('places an order once', async () => {
  const { bid } = await bookOf('BTC')
  const price = cents(bid * 0.88)
  const headers = {
    Prefer: process.env.NAIVE_LOST === '1' ? 'fault=reset_peer;phase=after' : 'handling=lenient',
  }
  await insist('POST', orders, { side: 'buy', asset: 'BTC', quantity: 0.03, price }, headers)
  const { body } = await call('GET', `${orders}?limit=100`)
  const same = body.orders.filter((order) => order.price === price && order.quantity === 0.03)
  check(same.length === 1, `it is there once, not ${same.length} times`)
})

test('waits for the rate limit on its own clock', async () => {
  for (let read = 0; read < 12; read += 1) {
    const { status } = await call('GET', '/api/sdk/portfolio/balances/USD')
    check(status === 200, `the read is answered: ${status}`)
  }
})

await run()
