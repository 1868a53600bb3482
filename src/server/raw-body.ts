import type { IncomingMessage } from 'node:http'

/** Bodies are held whole, so that a signature is checked over exactly the bytes that came. */
export const largestBodyBytes = 1_048_576
/** How much more than that is read and thrown away, so that a client that is still sending hears its 413. */
const discardedBytes = 4 * 1_048_576

export type BodyOutcome =
  | { readonly kind: 'complete'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  /** The client went away before the body's end: nothing may happen. */
  | { readonly kind: 'aborted' }

/** Whether a request has no body to wait for. */
export function hasNoBody(request: IncomingMessage): boolean {
  const { headers } = request
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'
}

/**
 * Reads the body of any method, as it is on the wire but for the chunks: no charset, no inflating, no parsing.
 * Never rejects.
 */
export function readBody(request: IncomingMessage): Promise<BodyOutcome> {
  if (Number(request.headers['content-length'] ?? 0) > largestBodyBytes + discardedBytes) {
    return Promise.resolve({ kind: 'too-large' })
  }
  return new Promise((resolve) => {
    let chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= largestBodyBytes) chunks.push(chunk)
      else chunks = []
      if (length > largestBodyBytes + discardedBytes) {
        request.pause()
        resolve({ kind: 'too-large' })
      }
    })
    request.on('end', () => {
      resolve(length > largestBodyBytes ? { kind: 'too-large' } : { kind: 'complete', bytes: joined(chunks) })
    })
    request.on('error', () => resolve({ kind: 'aborted' }))
    request.on('close', () => resolve({ kind: 'aborted' }))
  })
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
}
