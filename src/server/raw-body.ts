import type { IncomingMessage } from 'node:http'
import type { Problem } from '../api/errors.ts'

/** Bodies are held whole, so that a signature is checked over exactly the bytes that came. */
export const largestBodyBytes = 1_048_576
/** A snapshot of a world that has traded for long. */
export const largestDocumentBytes = 64 * 1_048_576
/** How much more than that is read and thrown away, so that a client that is still sending hears its 413. */
const discardedBytes = 4 * 1_048_576

export type BodyOutcome =
  | { readonly kind: 'complete'; readonly bytes: Buffer }
  /** Not to be carried out, because of the request's head or the body's length. */
  | { readonly kind: 'refused'; readonly problem: Problem }

const tooLarge: BodyOutcome = { kind: 'refused', problem: { code: 'payload-too-large' } }

/** Whether a request has no body to wait for. */
export function hasNoBody(request: IncomingMessage): boolean {
  const { headers } = request
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'
}

/**
 * Reads the body of any method, as it is on the wire but for the chunks: no charset, no inflating, no parsing. Must be
 * called before anything of the body can have come; `done` is called once, as soon as the body's last byte is there, and
 * never when the client goes away before that: nothing may happen then.
 *
 * The parser hands a body over by pushing it into the request, which is a stream. The bytes are taken there: buffers,
 * events and ticks of a stream that nobody else reads were a tenth of what a request costs. The end goes on to the
 * stream, because Node waits for it.
 */
export function takeBody(
  request: IncomingMessage,
  done: (outcome: BodyOutcome) => void,
  mostBytes: number = largestBodyBytes,
): void {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes + discardedBytes) {
    done(tooLarge)
    return
  }
  let chunks: Buffer[] = []
  let length = 0
  let isDone = false
  const finish = (outcome: BodyOutcome) => {
    if (isDone) return
    isDone = true
    done(outcome)
  }
  const { push } = request
  request.push = (chunk: Buffer | null) => {
    if (chunk === null) {
      const goesOn = push.call(request, null)
      finish(length > mostBytes ? tooLarge : { kind: 'complete', bytes: joined(chunks) })
      return goesOn
    }
    length += chunk.length
    if (length <= mostBytes) chunks.push(chunk)
    else chunks = []
    if (length <= mostBytes + discardedBytes) return true
    finish(tooLarge)
    return false
  }
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
}
