import { inWorld } from './find.ts'
import { type AdminRoute, bare, refused } from './route.ts'

export const journalRoutes: readonly AdminRoute[] = [
  bare(
    'GET',
    '/worlds/:world/journal',
    inWorld((world, { worlds }) => {
      const journal = worlds.journalOf(world)
      if (journal === null) return refused({ code: 'unknown-resource' })
      return {
        status: 200,
        body: null,
        lines: Buffer.concat([...journal.text()].map((line) => Buffer.from(line))),
      }
    }),
  ),
]
