import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** The lower-case hex HMAC-SHA256 of a text and the bytes after it. Spec: Authentication. */
export function sign(secret: string, text: string, body: Uint8Array = nothing): string {
  return bytesToHex(hmac.create(sha256, utf8ToBytes(secret)).update(utf8ToBytes(text)).update(body).digest())
}

/** With this some venues key their HMAC instead, so that they need not keep the secret itself. */
export function hashedSecret(secret: string): string {
  return bytesToHex(sha256(utf8ToBytes(secret)))
}

const nothing = new Uint8Array()
