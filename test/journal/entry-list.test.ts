import { expect, it } from 'vitest'
import type { JournalEntry } from '../../src/journal/entry.ts'
import { linesOfBytes, readEntries } from '../../src/journal/lines.ts'
import { EntryList } from '../../src/world/journals/journal.ts'
import { recordRun } from '../world/journals/recorded.ts'

const { text } = recordRun('11', 900)
const journal = readEntries(linesOfBytes(Buffer.from(text)))
if ('reason' in journal) throw new Error(journal.reason)
const { entries } = journal

it('returns every kind of line as it was added', () => {
  const list = new EntryList(entries)
  const kindOf = (entry: JournalEntry) => (entry.kind === 'command' ? entry.command.kind : entry.kind)
  const orders = entries.filter((entry) => kindOf(entry) === 'place-order')
  expect(new Set(entries.map(kindOf)).size).toBeGreaterThan(8)
  expect(orders.length).toBeGreaterThan(50)
  expect(list.length).toBe(entries.length)
  expect([...list.from(0)]).toEqual(entries)
  expect([...list.from(300)]).toEqual(entries.slice(300))
  expect(list.at(7)).toEqual(entries[7])
  expect(list.at(entries.length)).toBeUndefined()
})

it('has every side, type, time in force, flag and client id of an order', () => {
  const [order] = entries.flatMap((entry) =>
    entry.kind === 'command' && entry.command.kind === 'place-order' && entry.outcome.ok
      ? [{ ...entry, digest: null, command: { ...entry.command, metadata: null } }]
      : [],
  )
  if (order === undefined) throw new Error('there is no order')
  const flags = [false, true] as const
  const all = ([0, 1] as const).flatMap((side) =>
    ([0, 1] as const).flatMap((type) =>
      ([0, 1, 2] as const).flatMap((timeInForce) =>
        flags.flatMap((allowsDuplicateId) =>
          flags.flatMap((keepsRefused) =>
            [null, '', 'c-1'].map((clientOrderId) => {
              const codes = { side, type, timeInForce, allowsDuplicateId, keepsRefused, clientOrderId }
              return { ...order, command: { ...order.command, ...codes } }
            }),
          ),
        ),
      ),
    ),
  )
  const lines = all.map((line, at) => ({ ...line, sequence: 40 + at }))
  expect([...new EntryList(lines).from(0)]).toEqual(lines)
})

it('accepts only the next line', () => {
  const [first, second, third] = entries
  if (first === undefined || second === undefined || third === undefined) throw new Error('too few lines')
  const list = new EntryList([first])
  expect(() => list.add(third)).toThrow('follows')
  expect(() => list.add(first)).toThrow('follows')
  list.add(second)
  expect([...list.from(0)]).toEqual([first, second])
})
