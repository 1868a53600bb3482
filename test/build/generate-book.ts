import { createStream } from '../../src/numeric/random.ts'

/*
 * The recorded book that ships as scenarios/data/book.csv: four minutes of an order book of limit orders, cancellations and
 * market orders that come at random (zero intelligence, after Smith, Farmer, Gillemot and Krishnamurthy 2003), with its
 * trades. `npx tsx test/build/generate-book.ts > scenarios/data/book.csv` writes the file again.
 */

const firstMillis = Date.UTC(2026, 0, 5, 14)
const spanMillis = 240_000
const eventMillis = 90
const levels = 8
const stream = () => createStream('7', 'book', 'BTC', 0)

/** Levels of a side by their distance in ticks from a far price, so that the best has the greatest key. */
type Levels = Map<number, number>

/** The text of the shipped file: prices in ticks of 0.5, quantities in steps of 0.01. */
export function bookText(): string {
  const random = stream()
  const bids: Levels = new Map()
  const asks: Levels = new Map()
  const rows = ['ts_ms,kind,side,price,quantity']
  let atMillis = firstMillis
  const write = (kind: string, side: string, ticks: number, steps: number): void => {
    rows.push(`${atMillis},${kind},${side},${(ticks / 2).toFixed(1)},${(steps / 100).toFixed(2)}`)
  }
  const draw = (count: number): number => Math.floor(random.uniform() * count)
  const best = (side: Levels): number => Math.max(...side.keys())
  const set = (side: Levels, key: number, steps: number, kind = 'depth'): void => {
    if (steps > 0) side.set(key, steps)
    else side.delete(key)
    write(kind, side === bids ? 'buy' : 'sell', Math.abs(key), steps)
  }
  for (let level = 0; level < levels; level += 1) {
    set(bids, 99_999 - level, 50 + draw(250), 'snapshot')
    set(asks, -(100_001 + level), 50 + draw(250), 'snapshot')
  }
  while (atMillis < firstMillis + spanMillis) {
    atMillis += 1 + Math.floor(random.exponential() * eventMillis)
    const own = draw(2) === 0 ? bids : asks
    const other = own === bids ? asks : bids
    const what = random.uniform()
    if (what < 0.5 || own.size < 3) {
      // One tick before the other side's best is the nearest price at which an order rests.
      const key = -best(other) - 1 - Math.floor(random.exponential() * 2)
      set(own, key, (own.get(key) ?? 0) + 1 + draw(120))
    } else if (what < 0.82) {
      const keys = [...own.keys()].sort((left, right) => right - left)
      const key = keys[draw(Math.min(levels, keys.length))] ?? 0
      const left = own.get(key) ?? 0
      set(own, key, Math.max(0, left - 1 - draw(left)))
    } else {
      const key = best(own)
      const left = own.get(key) ?? 0
      const steps = Math.min(left, 1 + draw(100))
      write('trade', own === bids ? 'sell' : 'buy', Math.abs(key), steps)
      set(own, key, left - steps)
    }
  }
  return `${rows.join('\n')}\n`
}

if (process.argv[1]?.endsWith('generate-book.ts') === true) process.stdout.write(bookText())
