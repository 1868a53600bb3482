import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** Computes the lower-case hex HMAC-SHA256 of a text followed by the bytes of a body. Spec: Authentication. */
export function sign(secret: string, text: string, body: Uint8Array = nothing): string {
  return bytesToHex(hmac.create(sha256, utf8ToBytes(secret)).update(utf8ToBytes(text)).update(body).digest())
}

/** Computes the hash of a secret that some venues use as the HMAC key, so that they need not store the secret itself. */
export function hashSecret(secret: string): string {
  return bytesToHex(sha256(utf8ToBytes(secret)))
}

const nothing = new Uint8Array()
