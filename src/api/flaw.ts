/**
 * What is wrong with something that a caller sent: which field, and why. The reason is worded to follow the field's
 * name.
 */
export interface Flaw {
  readonly field: string
  readonly reason: string
  /** The name that was perhaps meant, or the names that there are. Never part of a documented body. */
  readonly hint?: string
}

export const reasonAndHint = ({ reason, hint }: Pick<Flaw, 'reason' | 'hint'>): string =>
  hint === undefined ? reason : `${reason} (${hint})`

export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly flaw: Flaw }

export function flawed(field: string, reason: string): { readonly ok: false; readonly flaw: Flaw } {
  return { ok: false, flaw: { field, reason } }
}

/** A flaw, a problem or an answer with one more hint, behind its own. */
export function withHint<Hinted extends Pick<Flaw, 'hint'>>(given: Hinted, hint: string | null): Hinted {
  if (hint === null) return given
  return { ...given, hint: given.hint === undefined ? hint : `${given.hint}; ${hint}` }
}

/** A flaw in one item of a list that is read on its own; the field of the item as a whole is called `item`. */
export function flawOfItem(flaw: Flaw): Flaw {
  return flaw.field === 'body' ? { ...flaw, field: 'item' } : flaw
}

/** A flaw for an unknown word; the hint names the nearest known one, if any is near. */
export function unknownWordFlaw(field: string, reason: string, word: string, known: readonly string[]): Flaw {
  const meant = nearestWord(word, known)
  return meant === null ? { field, reason } : { field, reason, hint: `did you mean ${meant}?` }
}

/**
 * The candidate that the word most likely meant: fewest single-letter edits (swaps of neighbours included), ties to
 * the first. Null when nothing is within a third of the word's length, at least one edit and at most three.
 */
export function nearestWord(word: string, candidates: Iterable<string>): string | null {
  const lowered = word.toLowerCase().slice(0, 64)
  // Looked through more than once, which the keys of a map cannot be.
  const words = [...candidates]
  let best: string | null = null
  let fewest = Math.min(3, Math.max(1, Math.floor(lowered.length / 3))) + 1
  for (const candidate of words) {
    const edits = candidate.toLowerCase() === lowered ? 0 : editDistance(lowered, candidate.toLowerCase())
    if (edits < fewest) {
      best = candidate
      fewest = edits
    }
  }
  return best ?? wordWithSameStem(lowered, words)
}

/** `maker` for `makerBps`, `noisevolatility` for `noiseVol`, `type` for `orderType`: one begins or ends the other. */
function wordWithSameStem(lowered: string, candidates: readonly string[]): string | null {
  if (lowered.length < 4) return null
  for (const candidate of candidates) {
    const other = candidate.toLowerCase()
    if (other.length >= 4 && (other.startsWith(lowered) || lowered.startsWith(other))) return candidate
  }
  for (const candidate of candidates) {
    if (candidate.toLowerCase().endsWith(lowered)) return candidate
  }
  return null
}

/** Optimal string alignment distance. */
function editDistance(left: string, right: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1]
      let cost = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
      )
      const isSwap =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (isSwap) cost = Math.min(cost, at(beforeLast, column - 2) + 1)
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return at(last, right.length)
}

const at = (costs: readonly number[], index: number): number => costs[index] ?? Number.POSITIVE_INFINITY
