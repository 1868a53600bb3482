import { describe, expect, it } from 'vitest'
import { readPermalink, writePermalink } from '../../../src/console/model/permalink.ts'

describe('the address', () => {
  it('encodes the moment that is shown, and is read back', () => {
    const moment = { sequence: 17, at: '2026-01-05T00:00:03.500Z' }
    const hash = writePermalink('my world', 'desk', 'BTC', moment)
    expect(hash).toBe('#world=my%20world&seq=17&at=2026-01-05T00:00:03.500Z&account=desk&asset=BTC')
    expect(readPermalink(hash)).toEqual({
      world: 'my world',
      account: 'desk',
      asset: 'BTC',
      moment,
      request: null,
    })
    expect(readPermalink(writePermalink('w', '', '', null))).toMatchObject({ world: 'w', moment: null })
  })

  it.each(['#seq=x', '#seq=-1', '#', ''])('has no moment in %j', (hash) => {
    expect(readPermalink(hash).moment).toBeNull()
  })

  it('may omit the instant of a line', () => {
    expect(readPermalink('#seq=4&at=noon').moment).toEqual({ sequence: 4, at: '' })
  })
})
