import { createHash } from 'node:crypto'

/*
 * A journal is a chain of lines. Each is one JSON object whose last field is `hash`: the first 32 hexadecimal digits of
 * SHA-256 over the hash of the line before (nothing before the first) and the line's own text up to `,"hash":`. So a
 * line that was changed, lost, added or moved is found, and a program in any language can check it.
 */

export interface Sealed {
  /** Without the line end. */
  readonly line: string
  readonly hash: string
}

/** Adds a line's text, an object with at least one field, to the end of the chain. */
export function seal(previousHash: string, object: string): Sealed {
  const open = object.slice(0, -1)
  const hash = hashOf(previousHash, open)
  return { line: `${open}${hashField}${hash}"}`, hash }
}

/** The hash of a line, given without its line end, when it follows the line before; null when it does not. */
export function unsealed(previousHash: string, line: Buffer): string | null {
  const openLength = line.length - tailLength
  if (openLength < 1) return null
  const tail = line.toString('latin1', openLength)
  if (!tail.startsWith(hashField) || !tail.endsWith('"}')) return null
  const hash = tail.slice(hashField.length, -2)
  return hash === hashOf(previousHash, line.subarray(0, openLength)) ? hash : null
}

const hashField = ',"hash":"'
const hashDigits = 32
const tailLength = hashField.length + hashDigits + 2

function hashOf(previousHash: string, open: string | Buffer): string {
  return createHash('sha256').update(previousHash).update(open).digest('hex').slice(0, hashDigits)
}
