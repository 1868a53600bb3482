/**
 * Returns the candidate that a word was most likely meant to be: the one with the fewest single-letter edits (a swap
 * of neighbours is one edit), and the first of several. At most a third of the word's letters may be edited, but at
 * least one and at most three. Otherwise it is a candidate with the same stem, such as `makerBps` for `maker`; null
 * when there is none.
 */
export function nearestWord(word: string, candidates: Iterable<string>): string | null {
  const lowered = word.toLowerCase().slice(0, 64)
  // The keys of a map can be iterated only once.
  const words = [...candidates]
  let best: string | null = null
  let fewest = Math.min(3, Math.max(1, Math.floor(lowered.length / 3))) + 1
  for (const candidate of words) {
    const edits =
      candidate.toLowerCase() === lowered ? 0 : computeEditDistance(lowered, candidate.toLowerCase())
    if (edits < fewest) {
      best = candidate
      fewest = edits
    }
  }
  return best ?? findWordWithSameStem(lowered, words)
}

/**
 * Formats a hint for an unknown word: the nearest known word, then the others, or all known words where none is near. At
 * most 80 are listed, and the hint says how many more there are. `listed` are those of which the caller does not already
 * know. Null when there is nothing to say.
 */
export function formatKnownWords(
  word: string,
  known: readonly string[],
  listed: readonly string[] = known,
): string | null {
  const nearest = nearestWord(word, known)
  const others = listed.filter((other) => other !== nearest)
  const list = listWords(others)
  if (nearest === null) return others.length === 0 ? null : `known: ${list}`
  return others.length === 0 ? `did you mean ${nearest}?` : `did you mean ${nearest}? Also known: ${list}`
}

const maximumListed = 80

/** Formats a list of words; of more than 80 it says how many are left out. */
export function listWords(words: readonly string[]): string {
  const shown = words.slice(0, maximumListed).join(', ')
  return words.length > maximumListed ? `${shown} and ${words.length - maximumListed} more` : shown
}

/**
 * Finds a candidate that begins or ends with the word, or begins it: `makerBps` for `maker`, `noiseVol` for
 * `noisevolatility`, `orderType` for `type`.
 */
function findWordWithSameStem(lowered: string, candidates: readonly string[]): string | null {
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

/** Computes the optimal string alignment distance of two words. */
function computeEditDistance(left: string, right: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1]
      let cost = Math.min(
        costAt(last, column) + 1,
        costAt(current, column - 1) + 1,
        costAt(last, column - 1) + (isSame ? 0 : 1),
      )
      const isSwap =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (isSwap) cost = Math.min(cost, costAt(beforeLast, column - 2) + 1)
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return costAt(last, right.length)
}

const costAt = (costs: readonly number[], index: number): number => costs[index] ?? Number.POSITIVE_INFINITY
