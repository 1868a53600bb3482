import { describe, expect, it } from 'vitest'
import { formatNotesFile, putNote, readNotesFile } from '../../src/api/noted-moments.ts'

const note = (sequence: number, text: string) => ({ sequence, at: '2026-01-05T00:00:01.000Z', text })

describe('notes on moments', () => {
  it('are in the order of their moments, one on each, and go with an empty text', () => {
    const all = [note(3, 'c'), note(1, 'a'), note(2, ' b '), note(3, 'd')].reduce(putNote, [])
    expect(all).toEqual([note(1, 'a'), note(2, 'b'), note(3, 'd')])
    expect(putNote(all, note(2, ' '))).toEqual([note(1, 'a'), note(3, 'd')])
    expect(putNote([], note(1, 'x'.repeat(900)))[0]?.text).toHaveLength(500)
  })

  it('are read back from the file beside a journal', () => {
    const all = [note(1, 'a: "b"'), note(2, 'c')]
    expect(readNotesFile(formatNotesFile(all))).toEqual(all)
  })

  it.each([
    ['', 'no file with notes'],
    ['{"notes":{}}', 'no file with notes'],
    ['{"notes":[{"sequence":1,"at":"noon","text":"x"}]}', 'Note 1 has no'],
    ['{"notes":[{"sequence":1,"at":"2026-01-05T00:00:01.000Z"}, {}]}', 'Note 2 has no'],
  ])('are refused as %j', (text, reason) => {
    expect(() => readNotesFile(text)).toThrow(reason)
  })
})
