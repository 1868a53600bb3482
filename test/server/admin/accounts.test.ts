import { describe, expect, it } from 'vitest'
import { order, refusal, useAdminWorld } from './admin-world.ts'

const admin = useAdminWorld()

describe('accounts', () => {
  it('can be added with balances, limits, fees and keys', async () => {
    const form = {
      id: 'late',
      balances: { USD: 1000 },
      limits: { maxOrderValue: 500 },
      fees: { takerBps: 25 },
      keys: [{ key: 'k-late', secret: 's-late', scopes: ['READ', 'TRADE'] }, { scopes: ['READ'] }],
    }
    expect(await admin.venue.admin('POST', `${admin.path}/accounts`, form)).toMatchObject({
      status: 201,
      body: {
        id: 'late',
        keys: [
          { apiKey: 'k-late', apiSecret: 's-late', scopes: ['READ', 'TRADE'] },
          { apiKey: `simk_${admin.id}_late`, apiSecret: `sims_${admin.id}_late`, scopes: ['READ'] },
        ],
      },
    })
    const keys = { apiKey: 'k-late', apiSecret: 's-late' }
    expect((await admin.place({ ...order, quantity: 0.012 }, keys)).status).toBe(201)
    expect((await admin.place({ ...order, quantity: 0.013 }, keys)).status).toBe(422)
    expect(await admin.venue.admin('POST', `${admin.path}/accounts`, { id: 'late' })).toMatchObject(
      refusal(409, 'exists'),
    )
    expect(await admin.venue.admin('POST', `${admin.path}/accounts`, { ...form, id: 'other' })).toMatchObject(
      refusal(409, 'k-late belongs to world'),
    )
  })

  it.each([
    [{}, 'id'],
    [{ id: 'a', balence: {} }, 'balance'],
    [{ id: 'a', balances: { BTX: 1 } }, 'BTC'],
    [{ id: 'a', type: 'credit' }, 'type'],
    [{ id: 'a', limits: { maxOrdrValue: 1 } }, 'maxOrderValue'],
    [{ id: 'a', balances: { USD: 5e9 } }, 'balances are worth about 5000 million USD'],
    [{ id: 'a', balances: { BTC: 1e6 } }, 'balances.BTC is more than'],
    [
      { id: 'a', balances: { BTC: 1000 }, positions: { BTC: { averageEntryPrice: 1e7 } } },
      'balances are worth about 10000 million USD',
    ],
  ])('are not made from %j', async (form, text) => {
    expect(await admin.venue.admin('POST', `${admin.path}/accounts`, form)).toMatchObject(refusal(400, text))
  })

  it('change only in the given fields', async () => {
    const change = { limits: { maxOpenOrders: 1 }, fees: { takerBps: 30 }, type: 'margin' }
    expect(await admin.venue.admin('PATCH', `${admin.path}/accounts/trader`, change)).toMatchObject({
      status: 200,
      body: { id: 'trader', type: 'margin', fees: { makerBps: 0, takerBps: 30 } },
    })
    expect((await admin.place()).status).toBe(201)
    expect(await admin.place()).toMatchObject({
      status: 422,
      body: { details: { type: 'RISK_LIMIT_EXCEEDED' } },
    })
    await admin.venue.admin('PATCH', `${admin.path}/accounts/trader`, { limits: { maxOpenOrders: 2 } })
    expect((await admin.place({ ...order, quantity: 10 })).status).toBe(201)
  })

  const withdrawAll = async (asset: string) => {
    const { body } = await admin.venue.send({
      target: `/api/sdk/portfolio/balances/${asset}`,
      ...admin.keysOf('trader'),
    })
    const quantity = typeof body === 'object' && body !== null && 'available' in body ? body.available : 0
    return admin.venue.admin('POST', `${admin.path}/accounts/trader/withdrawals`, { asset, quantity })
  }
  const goShort = async () => {
    expect((await withdrawAll('BTC')).status).toBe(201)
    const sale = { side: 'sell', asset: 'BTC', quantity: 0.1, orderType: 'market' }
    expect((await admin.place(sale)).status).toBe(201)
  }

  it('cannot become cash accounts while they owe', async () => {
    const account = `${admin.path}/accounts/trader`
    await admin.venue.admin('PATCH', account, { type: 'margin' })
    await goShort()
    const change = { type: 'cash', limits: { maxOpenOrders: 1 } }
    expect(await admin.venue.admin('PATCH', account, change)).toMatchObject(refusal(409, 'owes'))
    expect((await admin.venue.admin('PATCH', account, {})).body).toMatchObject({
      type: 'margin',
      limits: { maxOpenOrders: 100 },
    })
  })

  it('keep what the leverage of a margin account needs', async () => {
    await admin.venue.admin('PATCH', `${admin.path}/accounts/trader`, { type: 'margin' })
    await goShort()
    expect(await withdrawAll('USD')).toMatchObject(refusal(409, 'leverage'))
  })

  it.each([
    ['trader', { limit: {} }, 400, 'did you mean limits?'],
    ['trader', { limits: { maxOpenOrders: 'many' } }, 400, 'limits.maxOpenOrders'],
    ['trader', { type: 'credit' }, 400, 'type'],
    ['tradr', { type: 'margin' }, 404, 'did you mean trader?'],
  ])('%s does not change by %j', async (account, change, status, text) => {
    expect(await admin.venue.admin('PATCH', `${admin.path}/accounts/${account}`, change)).toMatchObject(
      refusal(status, text),
    )
  })
})

describe('keys', () => {
  it('can be added and revoked', async () => {
    const given = await admin.venue.admin('POST', `${admin.path}/accounts/viewer/keys`, {
      scopes: ['READ', 'TRADE'],
    })
    const keys = { apiKey: `simk_${admin.id}_viewer_2`, apiSecret: `sims_${admin.id}_viewer_2` }
    expect(given).toMatchObject({ status: 201, body: { ...keys, scopes: ['READ', 'TRADE'] } })
    expect((await admin.place(order, keys)).status).toBe(201)
    expect((await admin.place(order, admin.keysOf('viewer'))).status).toBe(403)
    expect((await admin.venue.admin('DELETE', `${admin.path}/keys/${keys.apiKey}`)).status).toBe(200)
    const unknown = await admin.place(order, { ...keys, apiKey: 'simk_nobody' })
    const revoked = await admin.place(order, keys)
    expect(revoked.status).toBe(401)
    expect(revoked.text).toBe(unknown.text)
    expect((await admin.venue.admin('DELETE', `${admin.path}/keys/${keys.apiKey}`)).status).toBe(200)
    expect((await admin.venue.admin('DELETE', `${admin.path}/keys/simk_nobody`)).status).toBe(404)
  })

  it.each([
    [{}, 400, 'scopes'],
    [{ scopes: ['TRAD'] }, 400, 'scopes'],
    [{ scopes: [], apiKey: 'simk_default_trader' }, 409, 'belongs to world default'],
  ])('are not given for %j', async (body, status, text) => {
    expect(await admin.venue.admin('POST', `${admin.path}/accounts/trader/keys`, body)).toMatchObject(
      refusal(status, text),
    )
  })
})
