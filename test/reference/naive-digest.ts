import type { TableSnapshot, VenueSnapshot } from '../../src/engine/snapshot/snapshot.ts'
import { addToHash } from '../../src/engine/snapshot/state-digest.ts'
import { Hash128 } from '../../src/numeric/hash.ts'

/*
 * The digest by its definition: everything in a snapshot is hashed, and every sum computed, from scratch each time.
 * The engine's digest remembers what it has hashed; this one does not.
 */
export function naiveDigest(snapshot: VenueSnapshot): string {
  const { orders, quotes, fills, transfers, accounts, assets, ...rest } = snapshot
  return hashNumbers({
    ...rest,
    orders: naiveTable(orders),
    quotes: naiveTable(quotes),
    fills: sumOfRows(fills.records),
    transfers: sumOfRows(transfers.records),
    accounts: { ...accounts, limits: accounts.limits.map((limits) => readWords(hashNumbers(limits))) },
    assets: assets.map(({ statistics, marks, ...asset }) => ({
      ...asset,
      statistics: {
        evictedTicks: statistics.evictedTicks,
        buckets: sumOfBlocks(splitGroups([...statistics.buckets], 7), 10_000),
      },
      marks: {
        minutes: sumOfBlocks(pairs(marks.minuteMillis, marks.minuteTicks), 86_400_000),
        recent: sumOfBlocks(pairs(marks.recentMillis, marks.recentTicks), 60_000),
      },
    })),
  }).digest()
}

function naiveTable({ records, clientIds, metadata }: TableSnapshot) {
  return {
    records: sumOfRows(records),
    clientIds: sumOfTexts(clientIds),
    metadata: sumOfTexts(metadata),
  }
}

function sumOfRows(records: Uint8Array): number[] {
  const rows = splitGroups([...new Int32Array(records.slice().buffer)], 32)
  return sumHashes(
    rows.map((words, row) => {
      const hash = new Hash128()
      hash.addInteger(row)
      hash.addInt32Array(Int32Array.from(words))
      return hash
    }),
  )
}

function sumOfTexts(values: ReadonlyMap<number, unknown>): number[] {
  return sumHashes(
    [...values].map(([row, value]) => {
      const hash = new Hash128()
      hash.addInteger(row)
      addToHash(hash, value)
      return hash
    }),
  )
}

/** Sums the hashes of blocks of time; entries begin with their instants. */
function sumOfBlocks(entries: readonly (readonly number[])[], blockMillis: number): number[] {
  const blocks = new Map<number, Hash128>()
  for (const entry of entries) {
    const block = Math.floor((entry[0] ?? 0) / blockMillis)
    const hash = blocks.get(block) ?? new Hash128()
    if (!blocks.has(block)) hash.addInteger(block)
    for (const number of entry) hash.addInteger(number)
    blocks.set(block, hash)
  }
  const [, ...words] = sumHashes([...blocks.values()])
  return [entries.length, ...words]
}

/** Returns how many hashes there are, and the sums of their four words. */
function sumHashes(hashes: readonly Hash128[]): number[] {
  const words = hashes.map(readWords)
  return [
    hashes.length,
    ...[0, 1, 2, 3].map((lane) => words.reduce((sum, of) => (sum + (of[lane] ?? 0)) | 0, 0)),
  ]
}

/** Returns the four words, read from the text of the digest. */
function readWords(hash: Hash128): number[] {
  return splitGroups([...hash.digest()], 8).map((digits) => Number.parseInt(digits.join(''), 16) | 0)
}

function hashNumbers(value: unknown): Hash128 {
  const hash = new Hash128()
  addToHash(hash, value)
  return hash
}

function pairs(left: Float64Array, right: Float64Array): number[][] {
  return [...left].map((value, place) => [value, right[place] ?? 0])
}

function splitGroups<Value>(values: readonly Value[], size: number): Value[][] {
  return Array.from({ length: values.length / size }, (_, at) => values.slice(at * size, (at + 1) * size))
}
