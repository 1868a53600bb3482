/** What something can be set to. */
export interface Factor {
  readonly values: readonly string[]
}

/** A value for each factor, in the order of the factors. */
export type Row = readonly string[]

/**
 * Rows in which every two values of two factors occur together at least once: as few rows as a greedy search finds.
 * The same factors give the same rows. A single factor gives one row for each value.
 */
export function coveringRows(factors: readonly Factor[]): readonly Row[] {
  const open = new OpenPairs(factors)
  const rows: Row[] = []
  for (let seed = open.next(); seed !== null; seed = open.next()) {
    const row = fill(factors, open, seed)
    open.close(row)
    rows.push(row.map((value, factor) => factors[factor]?.values[value] ?? ''))
  }
  if (rows.length > 0) return rows
  const [only] = factors
  return only === undefined || factors.length > 1 ? [] : only.values.map((value) => [value])
}

/** Starts from a pair that is still open, and gives each other factor the value that closes the most pairs. */
function fill(factors: readonly Factor[], open: OpenPairs, [a, va, b, vb]: Pair): readonly number[] {
  const chosen = new Map([
    [a, va],
    [b, vb],
  ])
  for (const [factor, { values }] of factors.entries()) {
    if (chosen.has(factor)) continue
    let best = 0
    let most = -1
    for (let value = 0; value < values.length; value += 1) {
      let gain = 0
      for (const [other, otherValue] of chosen) if (open.has(factor, value, other, otherValue)) gain += 1
      if (gain > most) {
        most = gain
        best = value
      }
    }
    chosen.set(factor, best)
  }
  return factors.map((_, factor) => chosen.get(factor) ?? 0)
}

type Pair = readonly [factor: number, value: number, other: number, otherValue: number]

/** The pairs of values that no row has yet. */
class OpenPairs {
  private readonly pairs = new Map<string, Pair>()

  constructor(factors: readonly Factor[]) {
    for (const [a, first] of factors.entries()) {
      for (const [offset, second] of factors.slice(a + 1).entries()) {
        const b = a + 1 + offset
        for (let va = 0; va < first.values.length; va += 1)
          for (let vb = 0; vb < second.values.length; vb += 1)
            this.pairs.set(key(a, va, b, vb), [a, va, b, vb])
      }
    }
  }

  next(): Pair | null {
    const { value, done } = this.pairs.values().next()
    return done === true ? null : value
  }

  has(a: number, va: number, b: number, vb: number): boolean {
    return this.pairs.has(a < b ? key(a, va, b, vb) : key(b, vb, a, va))
  }

  close(row: readonly number[]): void {
    for (const [a, va] of row.entries()) {
      for (let b = a + 1; b < row.length; b += 1) this.pairs.delete(key(a, va, b, row[b] ?? 0))
    }
  }
}

const key = (a: number, va: number, b: number, vb: number): string => `${a}=${va},${b}=${vb}`
