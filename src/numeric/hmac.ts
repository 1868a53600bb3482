import {
  blockBytes,
  compress,
  copyState,
  equalsHex,
  hexOfState,
  initialState,
  type Sha256State,
  writeState,
} from './sha256.ts'

/*
 * HMAC-SHA256 (RFC 2104) for many short messages under one key: the two blocks that depend only on the key are hashed
 * once. No native object is held.
 */

/** A key, ready to sign. */
export class HmacKey {
  private readonly inner: Sha256State = initialState()
  private readonly outer: Sha256State = initialState()

  constructor(secret: string) {
    const key = new Uint8Array(blockBytes)
    const bytes = encoder.encode(secret)
    if (bytes.length <= blockBytes) key.set(bytes)
    else key.set(hashOf(bytes))
    compress(this.inner, new DataView(key.map((byte) => byte ^ 0x36).buffer), 0)
    compress(this.outer, new DataView(key.map((byte) => byte ^ 0x5c).buffer), 0)
  }

  /** The digest of a text (its UTF-8) and the bytes after it, in lower-case hex. */
  sign(text: string, body: Uint8Array): string {
    this.digest(text, body)
    return hexOfState(working)
  }

  /** Whether this is the digest, 64 lower-case hex digits; the time that takes does not tell where the two differ. */
  verifies(text: string, body: Uint8Array, digest: string): boolean {
    this.digest(text, body)
    return equalsHex(working, digest)
  }

  private digest(text: string, body: Uint8Array): void {
    makeRoom(text.length * 3 + body.length)
    const written = writeText(text)
    scratch.set(body, written)
    copyState(this.inner, working)
    finish(working, written + body.length, blockBytes)
    writeState(working, outerView)
    copyState(this.outer, working)
    compress(working, outerView, 0)
  }
}

const encoder = new TextEncoder()
const working = initialState()
let scratch = new Uint8Array(8192)
let scratchView = new DataView(scratch.buffer)

/** The second hash takes 32 bytes after one block: its padding never changes. */
const outerView = new DataView(new ArrayBuffer(blockBytes))
outerView.setUint8(32, 0x80)
outerView.setUint32(60, (blockBytes + 32) * 8)

/** Makes room for this many bytes and their padding. */
function makeRoom(bytes: number): void {
  if (bytes <= scratch.length - 2 * blockBytes) return
  scratch = new Uint8Array(bytes + 16 * blockBytes)
  scratchView = new DataView(scratch.buffer)
}

/**
 * Writes the text's UTF-8 to the scratch buffer and answers its length. What is signed is nearly always plain ASCII.
 */
function writeText(text: string): number {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code > 127) return encoder.encodeInto(text, scratch).written
    scratch[at] = code
  }
  return text.length
}

/** Takes the first `length` bytes of the scratch and the padding; `before` bytes went in earlier. */
function finish(state: Sha256State, length: number, before: number): void {
  const padded = Math.ceil((length + 9) / blockBytes) * blockBytes
  scratch.fill(0, length, padded)
  scratch[length] = 0x80
  const bits = (before + length) * 8
  scratchView.setUint32(padded - 8, Math.floor(bits / 0x100000000))
  scratchView.setUint32(padded - 4, bits)
  for (let offset = 0; offset < padded; offset += blockBytes) compress(state, scratchView, offset)
}

function hashOf(bytes: Uint8Array): Uint8Array {
  const state = initialState()
  makeRoom(bytes.length)
  scratch.set(bytes)
  finish(state, bytes.length, 0)
  const hash = new Uint8Array(32)
  writeState(state, new DataView(hash.buffer))
  return hash
}
