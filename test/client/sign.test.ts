import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashSecret, sign } from '../../src/client/sign.ts'

const nothing = new Uint8Array()
const platforms = (secret: string, text: string, body: Uint8Array) =>
  createHmac('sha256', secret).update(text, 'utf8').update(body).digest('hex')

describe('a signature', () => {
  it.each([
    [
      'RFC 4231, case 2',
      'Jefe',
      'what do ya want for nothing?',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
    ['everything empty', '', '', 'b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad'],
  ])('%s', (_name, secret, text, digest) => {
    expect(sign(secret, text, nothing)).toBe(digest)
  })

  it('agrees with the platform at every length around the block edges', () => {
    for (let length = 0; length <= 200; length += 1) {
      const body = new Uint8Array(length).map((_, index) => index * 7)
      expect(sign('sims_default_trader', '1POST/p', body)).toBe(
        platforms('sims_default_trader', '1POST/p', body),
      )
    }
  })

  it('agrees with the platform for secrets around and beyond one block', () => {
    for (const length of [0, 1, 55, 56, 63, 64, 65, 128, 129, 9000]) {
      const secret = 's'.repeat(length)
      expect(sign(secret, '1GET/p', nothing)).toBe(platforms(secret, '1GET/p', nothing))
    }
  })

  it('agrees with the platform on any secret, text and body', () => {
    const inputs = fc.property(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.uint8Array({ maxLength: 500 }),
      (secret, text, body) => {
        expect(sign(secret, text, body)).toBe(platforms(secret, text, body))
      },
    )
    fc.assert(inputs, { seed: 7, numRuns: 200 })
  })

  it('agrees with the platform on bodies of any size', () => {
    for (const length of [8_000, 8_191, 8_192, 100_000, 1_048_576, 3]) {
      const body = new Uint8Array(length).fill(0xa5)
      expect(sign('k', '', body)).toBe(platforms('k', '', body))
    }
  })

  it('may be keyed with the hash of a secret', () => {
    const hash = createHash('sha256').update('größer').digest('hex')
    expect(hashSecret('größer')).toBe(hash)
  })
})
