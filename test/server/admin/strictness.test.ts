import { get } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { quietScenario } from '../../world/scenarios.ts'
import { useVenue } from '../venue-fixture.ts'

/* Input that has no effect is refused, because a caller would otherwise believe that it had one. */

const venue = useVenue()
let path = ''
beforeEach(async () => {
  const { body } = await venue.admin('POST', '/worlds', { scenario: quietScenario })
  path = `/worlds/${typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : ''}`
})

const refusal = (field: string, reason: string) => ({
  status: 400,
  body: { details: { field, reason: expect.stringContaining(reason) } },
})
const digest = async () => (await venue.admin('GET', `${path}/digest`)).body

describe('unknown input of an operation', () => {
  it.each([
    ['GET', '/requests?sinse=3', undefined, 'sinse', 'did you mean since?'],
    ['GET', '/requests?since=3&since=4', undefined, 'since', 'is given twice'],
    ['GET', '/digest?verbose=1', undefined, 'verbose', 'is not a known query parameter'],
    ['POST', '/clock/advance?byMs=5', { byMs: 5 }, 'byMs', 'is not a known query parameter'],
    ['POST', '/snapshots', { name: 'before' }, 'name', 'is not a known field'],
    ['POST', '/rate-limits/reset', { other: 1 }, 'other', 'is not a known field'],
    ['POST', '/orders/ord_1/expire', { at: '+5m' }, 'at', 'is not a known field'],
    ['DELETE', '/requests', { since: 3 }, 'since', 'is not a known field'],
  ])('%s %s %j', async (method, operation, body, field, reason) => {
    const before = await digest()
    expect(await venue.admin(method, `${path}${operation}`, body)).toMatchObject(refusal(field, reason))
    expect(await digest()).toEqual(before)
  })

  it.each([{}, null])('may be an empty body: %j', async (body) => {
    expect((await venue.admin('POST', `${path}/snapshots`, body)).status).toBe(201)
  })

  it('is null where a body is required', async () => {
    expect(await venue.admin('POST', `${path}/accounts/trader/keys`, null)).toMatchObject(
      refusal('body', 'must be an object'),
    )
  })
})

describe('a missing key of a form is named', () => {
  it.each([
    ['/accounts', { type: 'cash' }, 'id'],
    ['/timeline', { actions: [{ order: { account: 'trader', side: 'buy' } }] }, 'actions[0].order.asset'],
  ])('%s %j', async (operation, body, field) => {
    expect(await venue.admin('POST', `${path}${operation}`, body)).toMatchObject(
      refusal(field, 'is required'),
    )
  })

  it('in the scenario of a new world', async () => {
    const scenario = { version: 1, name: 'x', market: {} }
    expect(await venue.admin('POST', '/worlds', { scenario })).toMatchObject(
      refusal('scenario.market.assets', 'is required'),
    )
  })
})

describe('all mistakes of a form are reported', () => {
  const told = (problems: readonly (readonly [field: string, reason: string])[]) => {
    const all = problems.map(([field, reason]) => ({ field, reason }))
    const [first] = all
    return {
      status: 400,
      body: {
        statusCode: 400,
        message: `${first?.field} ${first?.reason}, and ${all.length - 1} more`,
        error: 'Bad Request',
        details: { ...first, problems: all },
      },
    }
  }

  it('of the scenario of a new world', async () => {
    const scenario = {
      version: 1,
      name: 'x',
      market: { assets: { BTC: { price: 50_000, model: { kind: 'gmb' } } } },
      timeline: [
        { at: '+1s', halt: { asset: 'BTX' } },
        { at: '+2s', halt: { asset: 'BTC', fro: '5s' } },
      ],
    }
    const reply = await venue.admin('POST', '/worlds', { scenario })
    expect(reply).toMatchObject(
      told([
        [
          'scenario.market.assets.BTC.model.kind',
          'unknown kind "gmb", expected one of constant, waypoints, gbm, ou, replay, merton, heston, garch, regimes, hawkes, bootstrap, market (did you mean gbm?)',
        ],
        ['scenario.timeline[1].halt.fro', 'unknown key "fro" (did you mean for?)'],
        ['scenario.timeline[0].halt.asset', 'unknown asset "BTX" (did you mean BTC?)'],
      ]),
    )
  })

  it('of actions for a running timeline', async () => {
    const actions = [
      { order: { account: 'trader', side: 'buy' } },
      { halt: { asset: 'BTX' } },
      { at: '2020-01-01T00:00:00Z', note: 'late' },
    ]
    const reply = await venue.admin('POST', `${path}/timeline`, { actions })
    expect(reply).toMatchObject(
      told([
        ['actions[0].order.asset', 'is required'],
        ['actions[1].halt.asset', 'unknown asset "BTX" (did you mean BTC?)'],
        ['actions[2].at', 'before the start of the clock'],
      ]),
    )
  })

  it.each([
    ['0s', 'every', 'expected a duration above 0'],
    [5, 'every', 'expected a duration, or a mapping'],
    [{ each: '0s' }, 'every.each', 'expected a duration above 0'],
    [{ each: '5s', from: '+0s', to: 'x' }, 'every.to', ''],
  ])('of an action that repeats %j', async (every, field, reason) => {
    const actions = [{ every, note: 'again' }]
    const reply = await venue.admin('POST', `${path}/timeline`, { actions })
    expect(reply).toMatchObject(refusal(`actions[0].${field}`, reason))
  })
})

describe('waiting for what cannot happen', () => {
  it.each([
    [{ assett: 'BTC' }, 'until.match.assett', 'did you mean asset?'],
    [{ asset: 'BTX' }, 'until.match.asset', 'did you mean BTC?'],
    [{ account: 'traider' }, 'until.match.account', 'did you mean trader?'],
    [{ asset: ['BTC'] }, 'until.match.asset', 'must be a string or a number or a boolean'],
    [{ account: ['trader'] }, 'until.match.account', 'must be a string or a number or a boolean'],
    [{ asset: 1 }, 'until.match.asset', 'is not a known asset'],
  ])('%j', async (match, field, reason) => {
    const until = { event: 'trade', match, maxMs: 1000 }
    const before = await digest()
    expect(await venue.admin('POST', `${path}/clock/advance`, { until })).toMatchObject(
      refusal(field, reason),
    )
    expect(await digest()).toEqual(before)
  })
})

describe('amounts and assets', () => {
  it('checks the assets of limits', async () => {
    const limits = { maxOrderSize: { BTX: 1 } }
    const accounts = `${path}/accounts`
    expect(await venue.admin('PATCH', `${accounts}/trader`, { limits })).toMatchObject(
      refusal('limits.maxOrderSize.BTX', 'did you mean BTC?'),
    )
    expect(await venue.admin('POST', accounts, { id: 'late', limits })).toMatchObject(
      refusal('limits.maxOrderSize.BTX', 'did you mean BTC?'),
    )
    expect(
      await venue.admin('PATCH', `${accounts}/trader`, { limits: { maxExposurePerAsset: { USD: 1 } } }),
    ).toMatchObject(refusal('limits.maxExposurePerAsset.USD', 'unknown asset'))
  })

  it('names a deposit that is too large', async () => {
    const deposit = { asset: 'USD', quantity: 1e15 }
    expect(await venue.admin('POST', `${path}/accounts/trader/deposits`, deposit)).toMatchObject(
      refusal('quantity', 'is out of range'),
    )
  })

  it('names the field that made a price too high', async () => {
    const price = `${path}/market/BTC/price`
    for (const mid of [1e12, 1e15])
      expect(await venue.admin('POST', price, { mid })).toMatchObject(refusal('mid', 'out of range'))
    for (const percent of [10_000, 10_000])
      expect((await venue.admin('POST', price, { percent })).status).toBe(200)
    expect(await venue.admin('POST', price, { percent: 10_000 })).toMatchObject(
      refusal('percent', 'out of range'),
    )
    const pair = `${path}/pairs/BTC-USD`
    expect(await venue.admin('PATCH', pair, { minNotional: 1e300 })).toMatchObject(
      refusal('minNotional', 'is out of range'),
    )
  })
})

it('answers in its own shapes under any readings of the world', async () => {
  const readings = { envelope: 'wrapped', 'shapes.limits': 'reduced', nulls: 'omitted' }
  await venue.admin('PUT', `${path}/readings`, readings)
  const changed = await venue.admin('PATCH', `${path}/accounts/trader`, { limits: { maxOrderValue: 5 } })
  expect(changed.body).toMatchObject({ id: 'trader', limits: { maxOrderValue: 5, maxLeverage: 1 } })
  expect(changed.body).not.toHaveProperty('data')
  const order = { account: 'desk', side: 'buy', asset: 'BTC', quantity: 0.01, price: 40_000 }
  await venue.admin('POST', `${path}/timeline`, { actions: [{ order }] })
  expect(await venue.admin('POST', `${path}/orders/ord_1/expire`)).toMatchObject({
    status: 200,
    body: { orderId: 'ord_1', status: 'expired', averagePrice: null },
  })
})

it('continues after the last event that a browser saw', async () => {
  await venue.admin('POST', `${path}/accounts/trader/deposits`, { asset: 'USD', quantity: 1 })
  await venue.admin('POST', `${path}/accounts/trader/deposits`, { asset: 'USD', quantity: 2 })
  const first = await firstEvent(`/__admin${path}/events?since=0`, {})
  const { sequence } = first
  expect(await firstEvent(`/__admin${path}/events?since=0`, { 'Last-Event-ID': String(sequence) })).toEqual(
    expect.objectContaining({ sequence: sequence + 1 }),
  )
})

function firstEvent(target: string, headers: Record<string, string>): Promise<{ sequence: number }> {
  return new Promise((resolve, reject) => {
    const asked = get({ port: venue.server.adminPort, host: '127.0.0.1', path: target, headers })
    asked.on('error', reject)
    asked.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
        const event = /data: (.+)\n/.exec(text)?.[1]
        if (event === undefined) return
        asked.removeAllListeners('error').on('error', () => undefined)
        response.destroy()
        resolve(JSON.parse(event))
      })
    })
  })
}

it('refuses a fault rule with the name of one of the script’s, which would share its count and its end', async () => {
  const rule = { id: 'script.0.0', type: 'latency', attributes: { latencyMs: 1 } }
  expect(await venue.admin('POST', `${path}/faults`, rule)).toMatchObject(
    refusal('id', 'must not begin with script.'),
  )
})
