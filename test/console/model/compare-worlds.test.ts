import { describe, expect, it } from 'vitest'
import { findFirstDifference } from '../../../src/console/model/compare-worlds.ts'
import type { HistoryEntry } from '../../../src/console/model/documents.ts'
import type { KnownHistory } from '../../../src/console/model/lineage.ts'

const startOf = (sequence: number) => ({ sequence, at: '2026-01-05T00:00:00.000Z' })

/** One item a line, from the line after `begins`, named by its type. */
function past(begins: number, types: readonly string[]): KnownHistory {
  const items = types.map((type, index): HistoryEntry => {
    const { sequence, at } = startOf(begins + index + 1)
    return {
      ...{ index, sequence, at, kind: 'command', type },
      ...{ account: null, asset: null, refusal: null, fields: {} },
    }
  })
  return { begins: startOf(begins), items }
}

describe('two worlds side by side', () => {
  it.each([
    ['the same', past(0, ['a', 'b']), past(0, ['a', 'b']), 2, null],
    ['a difference at once', past(0, ['a', 'b']), past(0, ['c', 'b']), 0, ['a', 'c']],
    ['a later one', past(0, ['a', 'b', 'c']), past(0, ['a', 'b', 'd']), 2, ['c', 'd']],
    ['one is longer', past(0, ['a', 'b']), past(0, ['a']), 1, ['b', undefined]],
    ['a fork, known only from where it began', past(0, ['a', 'b', 'c']), past(1, ['b', 'd']), 1, ['c', 'd']],
    ['its parent beside it', past(2, ['c']), past(0, ['x', 'b', 'c', 'd']), 1, [undefined, 'd']],
    ['nothing yet', past(0, []), past(0, []), 0, null],
  ] as const)('%s', (_, left, right, common, first) => {
    const parting = findFirstDifference(left, right)
    const shown = parting.rows.find(({ isFirst }) => isFirst)
    expect([parting.common, parting.commonLines, parting.isSame]).toEqual([common, common, first === null])
    expect(shown === undefined ? null : [shown.left?.type, shown.right?.type]).toEqual(first)
  })

  it('differ where an instant, a refusal or a field does', () => {
    const same = past(0, ['a'])
    const [item] = same.items
    if (item === undefined) throw new Error('it has one')
    for (const other of [
      { ...item, at: '2026-01-05T00:00:01.000Z' },
      { ...item, refusal: 'insufficient-balance' },
      { ...item, fields: { quantity: 2 } },
    ])
      expect(findFirstDifference(same, { ...same, items: [other] }).common).toBe(0)
    expect(findFirstDifference(same, { ...same, items: [{ ...item, index: 7 }] }).isSame).toBe(true)
  })

  it('show a little of what is in common, and more of what is not', () => {
    const types = Array.from({ length: 30 }, (_, place) => `type-${place}`)
    const { rows } = findFirstDifference(past(0, types), past(0, [...types.slice(0, 10), ...types.slice(20)]))
    expect(rows.map(({ left }) => left?.type)).toEqual(types.slice(8, 18))
    expect(rows.findIndex(({ isFirst }) => isFirst)).toBe(2)
  })
})
