import { formatCount } from './terminal.ts'

/*
 * No verdict without evidence (design, section 17): each command that judges says what it has looked at, in numbers, in
 * its text, its JSON (`lookedAt`) and its JUnit report (properties), and having looked at nothing is a failure.
 */

/** The nouns of the things that can be looked at, in the singular. */
const nouns = {
  requests: 'request',
  expectations: 'expectation',
  evaluations: 'evaluation',
  knownValues: 'known value',
  tests: 'test',
  readings: 'reading',
  faults: 'fault',
  lines: 'line',
  digests: 'digest',
  rows: 'row',
  closes: 'close',
  days: 'day',
  weeks: 'week',
  settings: 'setting',
  exchanges: 'exchange',
  cases: 'fresh case',
  storedCases: 'stored case',
  repeats: 'repeated case',
  trials: 'trial',
  conditions: 'condition',
  returns: 'return',
  fills: 'fill',
} as const

export type EvidenceKind = keyof typeof nouns

/** How many of each thing a command has looked at. 0 means that there was none; absent, that it was not asked for. */
export type Evidence = { readonly [Thing in EvidenceKind]?: number }

/** Returns `looked at: 3 requests, 1 test`, in the order of the record; `details` are added in brackets, by thing. */
export function formatEvidence(
  evidence: Evidence,
  details: { readonly [Thing in EvidenceKind]?: string } = {},
): string {
  const parts = listEvidence(evidence).map(([thing, count]) => {
    const detail = details[thing]
    return `${formatCount(count, nouns[thing])}${detail === undefined ? '' : ` (${detail})`}`
  })
  return `looked at: ${parts.length === 0 ? 'nothing' : parts.join(', ')}`
}

/** Says how many requests were to no operation, which are no evidence about the venue; null where all were to one. */
export function describeOtherRequests(count: number): string | null {
  if (count === 0) return null
  return `${formatCount(count, 'request')} to no operation of the venue (an unknown path or method): not counted`
}

/** Adds up what several parts of a command have looked at. */
export function addEvidence(all: readonly Evidence[]): Evidence {
  const sums: { [Thing in EvidenceKind]?: number } = {}
  for (const evidence of all)
    for (const [thing, count] of listEvidence(evidence)) sums[thing] = (sums[thing] ?? 0) + count
  return sums
}

/**
 * Says what a verdict lacks: one sentence for the first of the `vital` things of which none was looked at, null where
 * each was. A command fails with that sentence, whatever else it has found.
 */
export function findLack(evidence: Evidence, vital: readonly EvidenceKind[]): string | null {
  const missing = vital.find((thing) => (evidence[thing] ?? 0) === 0)
  return missing === undefined ? null : `nothing was judged: looked at no ${nouns[missing]}s`
}

/** Returns whether a figure only counts, so that nothing is an answer, too: one of `activity` or `sampling`. */
export const isCounted = (figure: string): boolean => /^(?:activity|sampling)\./.test(figure)

/** Lists what was looked at and how often, in the order of the record. */
export function listEvidence(evidence: Evidence): readonly (readonly [EvidenceKind, number])[] {
  return countedThings.flatMap((thing) => {
    const count = evidence[thing]
    return count === undefined ? [] : [[thing, count] as const]
  })
}

const isCountedThing = (name: string): name is EvidenceKind => Object.hasOwn(nouns, name)
const countedThings: readonly EvidenceKind[] = Object.keys(nouns).filter(isCountedThing)
