import { describe, expect, it } from 'vitest'
import { quietScenario } from '../../world/scenarios.ts'
import { refusal, useAdminWorld } from './admin-world.ts'

const admin = useAdminWorld(quietScenario)
const post = (path: string, body: object) => admin.venue.admin('POST', `${admin.path}/${path}`, body)

describe('clocks', () => {
  it('can be read and set', async () => {
    const { venue } = admin
    const path = `${admin.path}/clock`
    const manual = {
      now: '2026-01-05T00:00:00.000Z',
      mode: 'manual',
      speed: 1,
      stepMs: expect.any(Number),
      maxMs: 86_400_000,
    }
    expect((await venue.admin('GET', path)).body).toEqual(manual)
    expect(await venue.admin('PUT', path, { mode: 'realtime', speed: 10 })).toMatchObject({
      status: 200,
      body: { mode: 'realtime', speed: 10 },
    })
    venue.wall.advance(250)
    expect((await venue.admin('GET', path)).body).toMatchObject({ now: '2026-01-05T00:00:02.500Z' })
    await venue.admin('PUT', path, { mode: 'manual' })
    venue.wall.advance(250)
    expect((await venue.admin('GET', path)).body).toMatchObject({
      now: '2026-01-05T00:00:02.500Z',
      speed: 10,
    })
  })

  it.each([
    [{ byMs: 1500 }, '2026-01-05T00:00:01.500Z', 'advanced'],
    [{ byMs: 0 }, '2026-01-05T00:00:00.000Z', 'advanced'],
    [{ to: '2026-01-06T00:00:00Z' }, '2026-01-06T00:00:00.000Z', 'advanced'],
    [{ toNext: true }, '2026-01-05T00:00:00.000Z', 'nothing-due'],
    [{ until: { event: 'order.filled', maxMs: 5000 } }, '2026-01-05T00:00:05.000Z', 'maxMs'],
  ])('advance by %j', async (body, now, reason) => {
    const reply = await post('clock/advance', body)
    expect(reply).toMatchObject({
      status: 200,
      body: { from: '2026-01-05T00:00:00.000Z', now, reason, events: [], digest: expect.any(String) },
    })
  })

  it.each([
    [{ byMs: -1 }, 400, 'byMs'],
    [{ byMs: 1.5 }, 400, 'byMs'],
    [{ byMs: '1' }, 400, 'byMs'],
    [{ byMs: 1e18 }, 400, 'byMs'],
    [{ byMs: 366 * 86_400_000 + 1 }, 400, 'byMs'],
    [{ to: '2025-01-01T00:00:00Z' }, 409, 'Time does not go back'],
    [{ to: '2029-01-01T00:00:00Z' }, 400, '366 days'],
    [{ to: 'tomorrow' }, 400, 'ISO 8601'],
    [{}, 400, 'exactly one of'],
    [{ byMs: 1, toNext: true }, 400, 'exactly one of'],
    [{ byMS: 1 }, 400, 'did you mean byMs?'],
    [{ until: { event: 'order.fill' } }, 400, 'did you mean order.filled?'],
  ])('do not advance by %j', async (body, status, text) => {
    expect(await post('clock/advance', body)).toMatchObject(refusal(status, text))
  })

  it('stop when the awaited event happens', async () => {
    const deposit = { asset: 'USD', quantity: 5, pendingMs: 7250 }
    await post('accounts/trader/deposits', deposit)
    await post('accounts/desk/deposits', { ...deposit, pendingMs: 1000 })
    const until = { event: 'deposit.settled', match: { account: 'trader' }, maxMs: 60_000 }
    const reply = await post('clock/advance', { until })
    expect(reply.body).toMatchObject({
      now: '2026-01-05T00:00:07.250Z',
      reason: 'matched',
      events: [
        { type: 'deposit.settled', account: 'desk', at: '2026-01-05T00:00:01.000Z' },
        { type: 'deposit.settled', account: 'trader', at: '2026-01-05T00:00:07.250Z', quantity: 5 },
      ],
    })
  })

  it('advance to the next item that is due', async () => {
    const deposit = { asset: 'USD', quantity: 5, pendingMs: 90_500 }
    await post('clock/advance', { byMs: 1000 })
    await post('accounts/trader/deposits', deposit)
    const reply = await post('clock/advance', { toNext: true })
    expect(reply.body).toMatchObject({
      now: '2026-01-05T00:01:31.500Z',
      events: [{ type: 'deposit.settled' }],
    })
  })
})
