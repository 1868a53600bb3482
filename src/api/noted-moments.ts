import type { RecordOf } from '../shape/shape.ts'
import type { moment, momentNote } from './admin-past.ts'
import { isObject, parseJson } from './json.ts'

/*
 * Notes on moments of a world. They are kept in a file beside the journal, and in the address of the console's page.
 * The console reads these functions too, so they use no shapes.
 */

type WorldMoment = RecordOf<typeof moment>

/** Note on a moment of a world. */
export type Note = RecordOf<typeof momentNote>

/** The most characters of a note. Not every program accepts the long address that a longer text would make. */
export const longestNote = 500
/** The most notes of a world. */
export const mostNotes = 1000

/**
 * Compares two moments: below 0 when the first is earlier in the world's life. ISO texts of equal length
 * compare like their instants.
 */
export function compareMoments(left: WorldMoment, right: WorldMoment): number {
  if (left.sequence !== right.sequence) return left.sequence - right.sequence
  return left.at < right.at ? -1 : left.at > right.at ? 1 : 0
}

/** Adds a note in its place; an empty text removes the one at that moment. */
export function putNote(notes: readonly Note[], note: Note): readonly Note[] {
  const others = notes.filter((other) => compareMoments(other, note) !== 0)
  const text = note.text.trim().slice(0, longestNote)
  return text === '' ? others : [...others, { ...note, text }].sort(compareMoments)
}

/** Formats a note as the address has it: `17@2026-01-05T00:00:03.500Z:the text`. */
export const formatNote = ({ sequence, at, text }: Note): string => `${sequence}@${at}:${text}`

/** Parses a note of the address; null for anything else. */
export function parseNote(words: string): Note | null {
  const [, sequence, at = '', text = ''] =
    /^(\d{1,15})@(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z):(.+)$/s.exec(words) ?? []
  return sequence === undefined ? null : { sequence: Number(sequence), at, text: text.slice(0, longestNote) }
}

/** Returns the name of the file with the notes beside a journal, which is known by its own name or its world's. */
export const nameNotesFile = (journal: string): string => `${journal.replace(/\.journal$/, '')}.notes.json`

export const isNotesFile = (name: string): boolean => name.endsWith('.notes.json')

/** Formats notes as the file beside a journal has them. */
export const formatNotesFile = (notes: readonly Note[]): string => `${JSON.stringify({ notes }, null, 2)}\n`

/** Reads the file with the notes beside a journal. Throws for a text that is none. */
export function readNotesFile(text: string): readonly Note[] {
  const document = parseJson(text)
  const rows = isObject(document) ? document['notes'] : undefined
  if (!Array.isArray(rows)) throw new Error('This is no file with notes: it has no list "notes"')
  return rows.map((row: unknown, index) => {
    const { sequence, at, text: words } = Object(row)
    const note = parseNote(`${sequence}@${at}:${words}`)
    if (note === null) throw new Error(`Note ${index + 1} has no sequence, no instant or no text`)
    return note
  })
}
