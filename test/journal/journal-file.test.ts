import { expect, it } from 'vitest'
import { JournalFile, JournalUnwritable } from '../../src/journal/journal-file.ts'

/** A device that accepts every write but cannot sync. */
const unsyncable = '/dev/null'

it('a line that cannot be synced is not appended', () => {
  const file = new JournalFile(unsyncable, 'always')
  expect(() => file.append('{"a":1}', 1)).toThrow(JournalUnwritable)
  expect(file.end).toEqual({ sequence: 0, offset: 0, hash: '' })
  expect(file.tryAgain()).toBe(false)
  file.close()
})
