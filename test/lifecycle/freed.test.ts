import { Agent, request } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { startVenue } from '../../src/testing/start-venue.ts'
import { sharedScenario } from './parallel-worlds.ts'

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

/** Collects garbage until nothing more is freed, for a limited time. */
async function settle(): Promise<void> {
  if (typeof collect !== 'function') throw new Error('the collector can be called')
  for (let turn = 0; turn < 5; turn += 1) {
    collect()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

it('frees a deleted world, with its snapshots, faults and journal', async () => {
  await using venue = await startVenue({ scenario: sharedScenario })
  const use = async (): Promise<WeakRef<object>[]> => {
    const worlds = Array.from({ length: 20 }, () => venue.createWorld())
    const references: WeakRef<object>[] = []
    for (const world of worlds) {
      world.addFault({ type: 'stale_market_data', attributes: { delayMs: 500 } })
      await world.client('trader').orders.list()
      world.advance('2s')
      world.fork().delete()
      await fetch(`${venue.adminUrl}/worlds/${world.id}/snapshots`, { method: 'POST' })
      references.push(new WeakRef<object>(world.world))
      world.delete()
    }
    return references
  }
  const references = await use()
  await settle()
  const held = references.filter((reference) => reference.deref() !== undefined)
  // The last one may still be referenced from the stack.
  expect(held.length).toBeLessThanOrEqual(1)
})

async function used(): Promise<number> {
  await settle()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

it('uses little memory per world, and frees it', async () => {
  await using venue = await startVenue({ scenario: sharedScenario })
  venue.createWorld().delete()
  const before = await used()
  const worlds = Array.from({ length: 100 }, () => venue.createWorld())
  for (const { world } of worlds) world.request('trader', 'GET', '/api/sdk/orders')
  const perWorld = ((await used()) - before) / worlds.length
  for (const world of worlds.splice(0)) world.delete()
  // A thousand of them take far less than a gigabyte.
  expect(perWorld).toBeLessThan(400_000)
  expect((await used()) - before).toBeLessThan(perWorld * 10)
})

it('frees the bodies of connections that stay open', async () => {
  await using venue = await startVenue({ scenario: sharedScenario })
  const agent = new Agent({ keepAlive: true })
  const bytes = 1_000_000
  const post = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${venue.url}/api/sdk/orders`, { method: 'POST', agent }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode))
      })
      sent.once('error', reject).end(Buffer.alloc(bytes, ' '))
    })
  await post()
  const before = await used()
  const statuses = await Promise.all(Array.from({ length: 20 }, post))
  const held = (await used()) - before
  expect(Object.values(agent.freeSockets).flat()).toHaveLength(20)
  agent.destroy()
  expect(new Set(statuses)).toEqual(new Set([401]))
  expect(held).toBeLessThan(4 * bytes)
})
