/**
 * The candidate that the word most likely meant: fewest single-letter edits (swaps of neighbours included), ties to
 * the first. Null when nothing is within a third of the word's length, at least one edit and at most three.
 */
export function nearestWord(word: string, candidates: Iterable<string>): string | null {
  const lowered = word.toLowerCase().slice(0, 64)
  let best: string | null = null
  let fewest = Math.min(3, Math.max(1, Math.floor(lowered.length / 3))) + 1
  for (const candidate of candidates) {
    const edits = candidate.toLowerCase() === lowered ? 0 : editDistance(lowered, candidate.toLowerCase())
    if (edits < fewest) {
      best = candidate
      fewest = edits
    }
  }
  return best ?? wordWithSameStem(lowered, candidates)
}

/** `maker` for `makerBps`, `noisevolatility` for `noiseVol`, `type` for `orderType`: one begins or ends the other. */
function wordWithSameStem(lowered: string, candidates: Iterable<string>): string | null {
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
