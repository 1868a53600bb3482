import { describe, expect, it } from 'vitest'
import { quietScenario } from '../../world/scenarios.ts'
import { order, refusal, useAdminWorld } from './admin-world.ts'

const admin = useAdminWorld(quietScenario)
const ask = (method: string, path: string, body?: object) =>
  admin.venue.admin(method, `${admin.path}/${path}`, body)

describe('the fault rules of a world', () => {
  it('can be listed, replaced and removed, and end by themselves', async () => {
    await ask('POST', 'faults', { type: 'timeout', match: { asset: 'BTC' }, forMs: 1000 })
    await ask('POST', 'faults', { id: 'mine', type: 'html_502' })
    expect((await ask('GET', 'faults')).body).toMatchObject({
      faults: [
        { id: 'flt_1', match: { asset: 'BTC' }, until: '2026-01-05T00:00:01.000Z', matched: 0 },
        { id: 'mine', match: {}, until: null },
      ],
    })
    await ask('POST', 'faults', { id: 'mine', type: 'timeout' })
    await ask('POST', 'clock/advance', { byMs: 1000 })
    expect((await ask('GET', 'faults')).body).toMatchObject({ faults: [{ id: 'mine', type: 'timeout' }] })
    expect(await ask('DELETE', 'faults/mien')).toMatchObject(refusal(404, 'did you mean mine?'))
    expect((await ask('DELETE', 'faults/mine')).status).toBe(200)
    expect((await ask('GET', 'faults/mine')).status).toBe(404)
  })

  it('are refused with the field and the nearest word', async () => {
    const reply = await ask('POST', 'faults', { type: 'resetpeer' })
    expect(reply).toMatchObject({ status: 400, body: { details: { field: 'type' } } })
    expect(reply.text).toContain('did you mean reset_peer?')
  })

  it('are reported by explain, and not counted', async () => {
    await ask('POST', 'faults', { id: 'second', type: 'reset_peer', match: { asset: 'ETH' }, skip: 1 })
    const { apiKey } = admin.keysOf('trader')
    const explain = async (asset: string) => {
      const body = JSON.stringify({ ...order, asset })
      const request = { method: 'POST', path: '/api/sdk/orders', headers: { 'x-api-key': apiKey }, body }
      return (await ask('POST', 'requests/explain', request)).body
    }
    expect(await explain('ETH')).toMatchObject({ step: 'headers', fault: null })
    await admin.place({ ...order, asset: 'ETH', price: 2500 })
    expect(await explain('ETH')).toMatchObject({ fault: 'second reset_peer' })
    expect(await explain('ETH')).toMatchObject({ fault: 'second reset_peer' })
    expect(await explain('BTC')).toMatchObject({ fault: null })
  })

  it('are part of the digest with their counts', async () => {
    const digest = () =>
      admin.venue.worlds
        .list()
        .find((world) => world.id === admin.id)
        ?.digest()
    const without = digest()
    await ask('POST', 'faults', { type: 'latency', attributes: { latencyMs: 0 }, match: { method: 'GET' } })
    const uncounted = digest()
    expect(uncounted).not.toBe(without)
    await admin.venue.send({ target: '/api/sdk/orders', ...admin.keysOf('trader') })
    expect(digest()).not.toBe(uncounted)
    await ask('DELETE', 'faults')
    expect(digest()).toBe(without)
  })
})
