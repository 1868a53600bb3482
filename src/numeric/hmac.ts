/*
 * SHA-256 (FIPS 180-4) in plain code. A native hash object costs more to make and to collect than a short message
 * costs to hash, and every request has one (measured: a quarter of a signed request's time). Tests compare it with
 * the platform's own.
 */

const blockBytes = 64
const stateWords = 8

/** Eight working words; `compress` takes one block into it. */
type Sha256State = Int32Array

function initialState(): Sha256State {
  return initialWords.slice()
}

/** Continues from `from`, as if its blocks had gone into `state`. */
function copyState(from: Sha256State, state: Sha256State): void {
  state.set(from)
}

/** Takes the 64 bytes of `block` at `offset` into the state. Sums are cut to 32 bits one by one: they stay integers. */
function compress(state: Sha256State, block: DataView, offset: number): void {
  for (let word = 0; word < 16; word += 1) schedule[word] = block.getInt32(offset + word * 4)
  for (let word = 16; word < 64; word += 1) {
    const late = Number(schedule[word - 2])
    const early = Number(schedule[word - 15])
    const lateMix = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10)
    const earlyMix = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)
    const known = (Number(schedule[word - 16]) + Number(schedule[word - 7])) | 0
    schedule[word] = (((known + earlyMix) | 0) + lateMix) | 0
  }
  mix(state)
}

/** The state's 64 lower-case hex digits. */
function hexOfState(state: Sha256State): string {
  let hex = ''
  for (let word = 0; word < stateWords; word += 1) {
    const bits = state[word] ?? 0
    hex += (hexOfByte[bits >>> 24] ?? '') + (hexOfByte[(bits >>> 16) & 255] ?? '')
    hex += (hexOfByte[(bits >>> 8) & 255] ?? '') + (hexOfByte[bits & 255] ?? '')
  }
  return hex
}

/** Whether a text is the state's 64 lower-case hex digits: all of them are looked at, wherever they differ. */
function equalsHex(state: Sha256State, text: string): boolean {
  if (text.length !== stateWords * 8) return false
  let difference = 0
  for (let at = 0; at < stateWords * 8; at += 1) {
    const digit = ((state[at >>> 3] ?? 0) >>> (28 - 4 * (at & 7))) & 15
    // What lies between 9 and a in the character set is added from 10 on, without a branch.
    difference |= text.charCodeAt(at) ^ (0x30 + digit + (((9 - digit) >> 31) & 39))
  }
  return difference === 0
}

/** Writes the state's 32 bytes. */
function writeState(state: Sha256State, into: DataView): void {
  for (let word = 0; word < stateWords; word += 1) into.setInt32(word * 4, state[word] ?? 0)
}

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const schedule = new Int32Array(64)

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

function mix(state: Sha256State): void {
  let a = state[0] ?? 0
  let b = state[1] ?? 0
  let c = state[2] ?? 0
  let d = state[3] ?? 0
  let e = state[4] ?? 0
  let f = state[5] ?? 0
  let g = state[6] ?? 0
  let h = state[7] ?? 0
  for (let round = 0; round < 64; round += 1) {
    const upper = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    const choice = (e & f) ^ (~e & g)
    const known = (Number(roundWords[round]) + Number(schedule[round])) | 0
    const first = (((((h + upper) | 0) + choice) | 0) + known) | 0
    const lower = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + ((lower + majority) | 0)) | 0
  }
  state[0] = (state[0] ?? 0) + a
  state[1] = (state[1] ?? 0) + b
  state[2] = (state[2] ?? 0) + c
  state[3] = (state[3] ?? 0) + d
  state[4] = (state[4] ?? 0) + e
  state[5] = (state[5] ?? 0) + f
  state[6] = (state[6] ?? 0) + g
  state[7] = (state[7] ?? 0) + h
}

/* The first 32 bits of the fractional parts of the square roots of the first 8 primes, then of the cube roots of 64. */
const initialWords = Int32Array.from([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
])
const roundWords = Int32Array.from([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
])

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

/**
 * The lower-case hex SHA-256 of a secret, with which some venues key their HMAC instead, so that they need not keep the
 * secret itself.
 */
export function hashedSecret(secret: string): string {
  return hexOf(hashOf(encoder.encode(secret)))
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

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
