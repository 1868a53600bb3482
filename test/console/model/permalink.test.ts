import { describe, expect, it } from 'vitest'
import { readPermalink, writePermalink } from '../../../src/console/model/permalink.ts'

describe('the address', () => {
  it('encodes the place that is shown, and is read back', () => {
    const place = { sequence: 17, at: '2026-01-05T00:00:03.500Z' }
    const hash = writePermalink('my world', 'desk', 'BTC', place)
    expect(hash).toBe('#world=my%20world&seq=17&at=2026-01-05T00:00:03.500Z&account=desk&asset=BTC')
    expect(readPermalink(hash)).toEqual({
      world: 'my world',
      account: 'desk',
      asset: 'BTC',
      place,
      request: null,
    })
    expect(readPermalink(writePermalink('w', '', '', null))).toMatchObject({ world: 'w', place: null })
  })

  it.each(['#seq=x', '#seq=-1', '#', ''])('has no place in %j', (hash) => {
    expect(readPermalink(hash).place).toBeNull()
  })

  it('may omit the instant of a line', () => {
    expect(readPermalink('#seq=4&at=noon').place).toEqual({ sequence: 4, at: '' })
  })
})
