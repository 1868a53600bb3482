import { isNotesFile } from '../../api/noted-moments.ts'
import { readPlainText } from './recorded-api.ts'
import type { Session } from './session.ts'

/** Creates a world from a journal, with the failed test and the notes that are kept beside it, and shows it. */
export async function openJournal(session: Session, files: readonly File[]): Promise<void> {
  const isFailure = ({ name }: File) => name.endsWith('.failure.json')
  const isNoted = ({ name }: File) => isNotesFile(name)
  const read = async (file: File | undefined) => file && readPlainText(file)
  const opened = await session.attempt(async () => {
    const noted = await read(files.find(isNoted))
    const body = {
      journal: await read(files.find((file) => !isFailure(file) && !isNoted(file))),
      notes: await read(files.find(isFailure)),
    }
    // The server says what is wrong with the notes.
    const notes: unknown = noted === undefined ? null : JSON.parse(noted)
    return { notes, made: await session.api.ask<{ readonly id: string }>('POST', '/worlds/import', body) }
  })
  if (opened === null) return
  const { made, notes } = opened
  session.show({ world: made.id })
  if (notes !== null) await session.act('POST', '/notes', Object(notes))
  const names = files.map(({ name }) => name).join(', ')
  session.showMessage(`${names} is the world ${made.id}; its clock stands still`)
}
