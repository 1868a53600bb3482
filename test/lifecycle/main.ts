import type { ScenarioChoice } from '../../src/testing/start-venue.ts'
import { startVenue } from '../../src/testing/start-venue.ts'
import { meetsFault, sharedScenario, testAlone, testOverHttp } from './parallel-worlds.ts'

/*
 * `npm run soak worlds`, too slow for `npm test`: 200 tests at once on one server, 20 times, and 1,000 worlds at once,
 * which are freed again. Exit code 1: a test saw another one, two rounds differed, or memory was not freed.
 */

const rounds = Number(process.argv[2] ?? 20)
const tests = 200
const manyWorlds = 1000
const maximumBytes = 1e9

const failures = [
  ...(await parallelTests()),
  ...(await crowd('one asset', sharedScenario)),
  ...(await crowd('calm', 'calm')),
]
for (const failure of failures) console.error(`failed: ${failure}`)
process.exitCode = failures.length > 0 ? 1 : 0

async function parallelTests(): Promise<string[]> {
  await using venue = await startVenue({ scenario: sharedScenario })
  const found: string[] = []
  const alone = Array.from({ length: tests }, (_, n) => (meetsFault(n) ? null : testAlone(n)))
  let first = ''
  const began = performance.now()
  for (let round = 1; round <= rounds; round += 1) {
    const seen = await Promise.all(Array.from({ length: tests }, (_, n) => testOverHttp(venue, n)))
    for (const [n, { digest }] of seen.entries())
      if (alone[n] !== null && alone[n] !== digest) found.push(`test ${n} of round ${round} was not alone`)
    const text = JSON.stringify(seen)
    if (round === 1) first = text
    else if (text !== first) found.push(`round ${round} is not as the first`)
  }
  const seconds = (performance.now() - began) / 1000
  console.log(`${rounds} rounds of ${tests} tests at once: ${seconds.toFixed(1)} s, ${found.length} failures`)
  return found
}

/** Many worlds at once, each with some trading, then none. */
async function crowd(name: string, scenario: ScenarioChoice): Promise<string[]> {
  await using venue = await startVenue({ scenario })
  const before = usedBytes()
  const began = performance.now()
  const worlds = Array.from({ length: manyWorlds }, () => venue.createWorld())
  const createdMillis = performance.now() - began
  for (const { world } of worlds) {
    const order = { side: 'buy', asset: 'BTC', quantity: 0.01, price: 49_000 }
    for (let placed = 0; placed < 10; placed += 1) world.request('trader', 'POST', '/api/sdk/orders', order)
  }
  const held = usedBytes() - before
  const residentBytes = process.memoryUsage().rss
  for (const world of worlds) world.advance('5s')
  const moved = usedBytes() - before
  for (const world of worlds.splice(0)) world.delete()
  await new Promise((resolve) => setImmediate(resolve))
  const left = usedBytes() - before
  const kibibytes = (bytes: number) => `${Math.round(bytes / manyWorlds / 1024)} KiB`
  const millionths = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
  console.log(
    `${manyWorlds} worlds of ${name}: made in ${createdMillis.toFixed(0)} ms; with ten orders ${millionths(held)}` +
      ` (${kibibytes(held)} each, resident ${millionths(residentBytes)}); when their markets have moved` +
      ` ${millionths(moved)} (${kibibytes(moved)} each); deleted: ${millionths(left)} are left`,
  )
  const found: string[] = []
  if (residentBytes > maximumBytes)
    found.push(`${manyWorlds} worlds of ${name} take ${millionths(residentBytes)}`)
  if (left > moved / 20 + 2e6) found.push(`${millionths(left)} of ${name} are not let go of`)
  return found
}

function usedBytes(): number {
  for (let turn = 0; turn < 3; turn += 1) globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
