import { describe, expect, it } from 'vitest'
import { addEvidence, findLack, formatEvidence } from '../../src/cli/evidence.ts'

describe('evidence', () => {
  it.each([
    [{}, 'looked at: nothing'],
    [{ requests: 1, tests: 0 }, 'looked at: 1 request, 0 tests'],
    [{ evaluations: 12, expectations: 2 }, 'looked at: 2 expectations, 12 evaluations'],
  ])('of %j reads %j', (evidence, text) => {
    expect(formatEvidence(evidence)).toBe(text)
  })

  it('adds up by thing, and leaves out what nobody was asked for', () => {
    expect(addEvidence([{ requests: 1, tests: 0 }, {}, { requests: 2 }])).toEqual({ requests: 3, tests: 0 })
  })

  it('shows details beside the things that they belong to', () => {
    const evidence = { cases: 3, storedCases: 9 }
    expect(formatEvidence(evidence, { storedCases: 'of 2026-11-28' })).toBe(
      'looked at: 3 fresh cases, 9 stored cases (of 2026-11-28)',
    )
  })

  it.each([
    [{ tests: 3, requests: 0 }, 'nothing was judged: looked at no requests'],
    [{ requests: 1 }, 'nothing was judged: looked at no tests'],
    [{ tests: 3, requests: 1 }, null],
  ])('of %j lacks %j', (evidence, lack) => {
    expect(findLack(evidence, ['tests', 'requests'])).toBe(lack)
  })
})
