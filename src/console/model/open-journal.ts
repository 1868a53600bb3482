import { isNotesFile } from '../../api/noted-moments.ts'
import { readPlainText } from './recorded-api.ts'
import type { Session } from './session.ts'

/**
 * Creates a world from a journal, with the failed test and the notes that are kept beside it, and shows it. If the
 * server refuses the notes, shows the reason and deletes the world again.
 */
export async function openJournal(session: Session, files: readonly File[]): Promise<void> {
  const isFailure = ({ name }: File) => name.endsWith('.failure.json')
  const isNoted = ({ name }: File) => isNotesFile(name)
  const read = async (file: File | undefined) => file && readPlainText(file)
  const { api } = session
  const made = await session.attempt(async () => {
    const noted = await read(files.find(isNoted))
    const body = {
      journal: await read(files.find((file) => !isFailure(file) && !isNoted(file))),
      notes: await read(files.find(isFailure)),
    }
    const notes: unknown = noted === undefined ? undefined : JSON.parse(noted)
    const world = await api.ask<{ readonly id: string }>('POST', '/worlds/import', body)
    const path = `/worlds/${encodeURIComponent(world.id)}`
    // Only the server can say what is wrong with the notes, and only of a world that it has.
    if (notes !== undefined)
      await api.ask('POST', `${path}/notes`, Object(notes)).catch(async (refusal: unknown) => {
        await api.ask('DELETE', path)
        throw refusal
      })
    return world
  })
  if (made === null) return
  session.show({ world: made.id })
  const names = files.map(({ name }) => name).join(', ')
  session.showMessage(`${names} is the world ${made.id}; its clock stands still`)
}
