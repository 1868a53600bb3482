import * as shapes from '../../api/admin-answers.ts'
import type { Journal } from '../../world/journals/recorder.ts'
import type { Steps } from '../../world/work-queue.ts'
import { WorkQueue } from '../../world/work-queue.ts'
import { inWorld } from './find.ts'
import { type AdminAnswer, type AdminRoute, bare, refused } from './route.ts'

/** In turns with everything else, because a journal may be long. */
export const journalRoutes: readonly AdminRoute[] = [
  bare(
    'GET',
    '/worlds/:world/journal',
    {
      id: 'getJournal',
      summary: 'Everything that came from outside, a line each, to be replayed',
      response: shapes.anyDocument,
      mediaType: 'application/x-ndjson',
    },
    inWorld((world, { worlds }) => {
      const journal = worlds.journalOf(world)
      if (journal === null) return refused({ code: 'unknown-resource' })
      return new WorkQueue().begin(linesOf(journal))
    }),
  ),
]

/** Some of its lines at a time. It may grow meanwhile; then there are some of the new lines, too. */
function* linesOf(journal: Journal): Steps<AdminAnswer> {
  const parts: Buffer[] = []
  let piece = ''
  for (const line of journal.text()) {
    piece += line
    if (piece.length < charactersInPiece) continue
    parts.push(Buffer.from(piece))
    piece = ''
    yield
  }
  return { status: 200, body: null, lines: Buffer.concat([...parts, Buffer.from(piece)]) }
}

const charactersInPiece = 65_536
