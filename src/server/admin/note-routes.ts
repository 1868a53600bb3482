import * as bodies from '../../api/admin-bodies.ts'
import * as pastShapes from '../../api/admin-past.ts'
import { mostNotes, type Note, putNote } from '../../api/noted-moments.ts'
import type { KeptNotes } from '../../journal/kept-notes.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { RecordOf } from '../../shape/shape.ts'
import type { World } from '../../world/world.ts'
import { type AdminCall, AdminRefusal, type AdminRoute, inWorld, parseInstant, wrongField } from './route.ts'

/** The operations on notes on moments, which are kept beside the journal and change nothing in the world. */
export const noteRoutes: readonly AdminRoute[] = [
  inWorld('GET', '/notes', {
    id: 'listNotes',
    summary: 'The notes on moments of this world',
    response: pastShapes.noteList,
    errors: [503],
    answer: (world, call) => ({ notes: openNotes(world, call).list() }),
  }),
  inWorld('POST', '/notes', {
    id: 'putNotes',
    summary: 'Put notes on moments of this world; answers all that there are',
    response: pastShapes.noteList,
    errors: [503],
    example: {
      body: { notes: [{ sequence: 0, at: '2026-01-05T00:00:00.000Z', text: 'the beginning' }] },
    },
    body: bodies.notesBody,
    answer: putNotes,
  }),
]

/**
 * Puts notes in their places, all or none. Errors, in order: 400 for a moment that has not been yet, or was before the world;
 * 503 notes that cannot be read; 400 too many notes.
 */
function putNotes(world: World, call: AdminCall, body: RecordOf<typeof bodies.notesBody>) {
  const added = body.notes.map((note, index) => readNote(world, note, `notes[${index}]`))
  const kept = openNotes(world, call)
  const count = added.reduce(putNote, kept.list()).length
  if (count > mostNotes) throw wrongField('notes', `would be ${count}, and a world has at most ${mostNotes}`)
  kept.put(added)
  return { notes: kept.list() }
}

/** Reads a note at a place of the body. Errors, in order: 400 the line, the instant. */
function readNote(world: World, { sequence, at, text }: Note, place: string): Note {
  const { sequence: last, now } = world
  const begins = world.running.startScenario.venue.startMillis
  if (sequence > last) throw wrongField(`${place}.sequence`, `must be at most ${last}, the last line`)
  const atMillis = parseInstant(`${place}.at`, at)
  if (atMillis < begins || atMillis > now)
    throw wrongField(`${place}.at`, `must be from ${millisToIso(begins)} to ${millisToIso(now)}`)
  return { sequence, at: millisToIso(atMillis), text }
}

/** Returns the notes of a world. Errors: 503 when the file beside the journal cannot be read. */
function openNotes({ id }: World, { worlds }: AdminCall): KeptNotes {
  const notes = worlds.notesOf(id)
  const reason = notes.problem()
  if (reason !== null) throw new AdminRefusal({ code: 'unavailable', reason })
  return notes
}
