/*
 * Long work in this process is done in slices, one per turn of the event loop however many works there are, and sockets
 * are served in between.
 */

/** How long one slice may take, in milliseconds: the most that anybody else has to wait. */
export const sliceMillis = 8

type Slice = () => boolean

const pending: Slice[] = []

/** Does the work a slice at a time, in turns with other such work, until it answers that nothing is left. */
export function inSlices(slice: Slice): void {
  pending.push(slice)
  if (pending.length === 1) plan()
}

function plan(): void {
  setImmediate(run)
}

function run(): void {
  const slice = pending[0]
  if (slice === undefined) return
  const isDone = slice()
  pending.shift()
  if (!isDone) pending.push(slice)
  if (pending.length > 0) plan()
}
