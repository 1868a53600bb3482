import { describe, expect, it } from 'vitest'
import { readPermalink, writePermalink } from '../../../src/console/model/permalink.ts'

describe('the address', () => {
  it('encodes the moment that is shown, and is read back', () => {
    const moment = { sequence: 17, at: '2026-01-05T00:00:03.500Z' }
    const shown = {
      world: 'my world',
      account: 'desk',
      asset: 'BTC',
      moment,
      request: null,
      selected: null,
      notes: [],
    }
    const hash = writePermalink(shown)
    expect(hash).toBe('#world=my%20world&seq=17&at=2026-01-05T00:00:03.500Z&account=desk&asset=BTC')
    expect(readPermalink(hash)).toEqual(shown)
    const present = { ...shown, moment: null, account: '', asset: '' }
    expect(readPermalink(writePermalink(present))).toMatchObject({ world: 'my world', moment: null })
  })

  it.each([
    ['#order=ord_1', { kind: 'order', id: 'ord_1' }, null],
    ['#quote=quo_2&request=5', { kind: 'quote', id: 'quo_2' }, 5],
    ['#request=req_7', null, 7],
    ['#request=x', null, null],
  ] as const)('tells what is selected: %s', (hash, selected, request) => {
    expect(readPermalink(hash)).toMatchObject({ selected, request })
    const about = { world: 'w', account: '', asset: '', moment: null, notes: [] }
    expect(readPermalink(writePermalink({ ...about, selected, request }))).toMatchObject({
      selected,
      request,
    })
  })

  it('keeps notes on moments, whatever is in them', () => {
    const notes = [
      { sequence: 3, at: '2026-01-05T00:00:03.500Z', text: 'why: 100 % & "more" #1\nsecond line' },
      { sequence: 4, at: '2026-01-05T00:00:04.000Z', text: 'then' },
    ]
    const about = { world: 'w', account: '', asset: '', moment: null, request: null, selected: null }
    expect(readPermalink(writePermalink({ ...about, notes })).notes).toEqual(notes)
    expect(readPermalink('#note=x&note=3@noon:text').notes).toEqual([])
  })

  it.each(['#seq=x', '#seq=-1', '#', ''])('has no moment in %j', (hash) => {
    expect(readPermalink(hash).moment).toBeNull()
  })

  it('may omit the instant of a line', () => {
    expect(readPermalink('#seq=4&at=noon').moment).toEqual({ sequence: 4, at: '' })
  })
})
