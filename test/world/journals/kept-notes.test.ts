import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { JournalUnwritable } from '../../../src/journal/journal-file.ts'
import { keepNotesBeside, moveWithNotes } from '../../../src/journal/kept-notes.ts'
import { createFolderJournals } from '../../../src/world/journals/journal-store.ts'
import { Worlds } from '../../../src/world/worlds.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { ManualWallClock } from '../manual-wall-clock.ts'
import { quietScenario } from '../scenarios.ts'
import { scenarioOf } from './recorded.ts'

/* The file with the notes on moments, beside a journal. */

const note = (sequence: number, text: string) => ({ sequence, at: '2026-01-05T00:00:00.000Z', text })
const quiet = scenarioOf(quietScenario)

function worldsIn(folder: string) {
  const worlds = new Worlds(new ManualWallClock(), createFolderJournals(folder, new Map(), 'os', 'test'))
  const create = () => worlds.create(quiet, { id: 'w' })
  return { worlds, create, notes: () => worlds.notesOf('w') }
}

it('is written whole, read again by the next process, and goes with the last note', () => {
  const journal = join(temporaryFolder(), 'w.journal')
  const kept = keepNotesBeside(journal)
  kept.put([note(2, 'b'), note(1, 'a')])
  const next = keepNotesBeside(journal)
  expect([next.list(), next.problem()]).toEqual([[note(1, 'a'), note(2, 'b')], null])
  next.put([note(1, '')])
  kept.put([note(3, 'c')])
  expect(kept.list()).toEqual([note(2, 'b'), note(3, 'c')])
  expect(readdirSync(join(journal, '..'))).toEqual(['w.notes.json'])
  kept.put([note(2, ''), note(3, '')])
  expect(readdirSync(join(journal, '..'))).toEqual([])
})

it('is left as it is where it cannot be read, and then takes no notes', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'w.notes.json'), '{"notes": 1}')
  const kept = keepNotesBeside(join(folder, 'w.journal'))
  expect(kept.problem()).toMatch(/w\.notes\.json cannot be read: This is no file with notes/)
  expect(() => kept.put([note(1, 'a')])).toThrow(JournalUnwritable)
  expect(kept.list()).toEqual([])
  expect(readFileSync(join(folder, 'w.notes.json'), 'utf8')).toBe('{"notes": 1}')
})

it('changes nothing where it cannot be written', () => {
  const folder = temporaryFolder()
  const kept = keepNotesBeside(join(folder, 'w.journal'))
  kept.put([note(1, 'a')])
  mkdirSync(join(folder, 'w.notes.json.tmp'))
  expect(() => kept.put([note(2, 'b')])).toThrow(JournalUnwritable)
  expect(keepNotesBeside(join(folder, 'w.journal')).list()).toEqual([note(1, 'a')])
})

it('goes aside with the journal of a deleted world, and a new one of that name begins without', () => {
  const folder = temporaryFolder()
  const { worlds, create, notes } = worldsIn(folder)
  create()
  notes().put([note(0, 'first')])
  worlds.delete('w')
  expect(readdirSync(join(folder, 'deleted')).toSorted()).toEqual(['w.journal-1', 'w.journal-1.notes.json'])
  create()
  expect(notes().list()).toEqual([])
  // Somebody deletes the old journal, but not its notes.
  rmSync(join(folder, 'deleted', 'w.journal-1'))
  notes().put([note(0, 'second')])
  worlds.delete('w')
  expect(readFileSync(join(folder, 'deleted', 'w.journal-1.notes.json'), 'utf8')).toContain('first')
  expect(readFileSync(join(folder, 'deleted', 'w.journal-2.notes.json'), 'utf8')).toContain('second')
})

it('is set aside where somebody has deleted its journal, so that a new world does not have it', () => {
  const folder = temporaryFolder()
  const { worlds, create, notes } = worldsIn(folder)
  create()
  notes().put([note(0, 'kept')])
  rmSync(join(folder, 'w.journal'))
  worlds.delete('w')
  create()
  expect(notes().list()).toEqual([])
  expect(readFileSync(join(folder, 'w.notes.json.old-1'), 'utf8')).toContain('kept')
})

it('comes back when its journal cannot be moved', () => {
  const folder = temporaryFolder()
  const [journal, to] = [join(folder, 'w.journal'), join(folder, 'taken')]
  writeFileSync(journal, '')
  keepNotesBeside(journal).put([note(0, 'kept')])
  mkdirSync(to)
  expect(() => moveWithNotes(journal, to)).toThrow(JournalUnwritable)
  expect(readdirSync(folder).toSorted()).toEqual(['taken', 'w.journal', 'w.notes.json'])
})
