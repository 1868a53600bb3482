import { describe, expect, it } from 'vitest'
import { independent, placeIn, planted } from '../scenario/file/planted-mistakes.ts'
import { folderWith } from '../support/temporary-folder.ts'
import { otcsim } from './harness.ts'

describe.each([['validate'], ['run']])('%s', (command) => {
  it('reports every mistake of a file on its own line, with its place', async () => {
    const text = planted(independent)
    const ended = await otcsim([command, 'bad.yaml'], { cwd: folderWith({ 'bad.yaml': text }) })
    expect(ended).toMatchObject({ code: 2, out: '' })
    const lines = ended.err.trimEnd().split('\n')
    expect(independent.length).toBeGreaterThanOrEqual(20)
    for (const mistake of independent) {
      const place = placeIn(text, mistake, 'bad.yaml')
      const own = lines.filter((line) => line.startsWith(place) && mistake[2].test(line))
      expect(own, `${place}${mistake[1]}`).toHaveLength(1)
    }
    expect(lines).toHaveLength(independent.length)
  })

  it('names the included file that has the mistake', async () => {
    const cwd = folderWith({
      'main.yaml': `version: 1
name: main
include: [market.yaml, story.yaml]
clock: { end: 1h, grd: 1s }
expect:
  - { at: end, that: price.BTC.mdi > 1 }
`,
      'market.yaml': `version: 1
market:
  flow: { kind: nonne }
  assets:
    BTC: { price: 50000, model: { kind: constant } }
`,
      'story.yaml': `version: 1
timeline:
  - { at: +1m, halt: { asset: BTX } }
  - { at: +2m, order: { account: trader, side: by, asset: BTC, quantity: 1, price: 1 } }
  - { at: frist+1s, note: x }
`,
    })
    const ended = await otcsim([command, 'main.yaml'], { cwd })
    expect(ended).toMatchObject({ code: 2, out: '' })
    const places = ended.err
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(0, line.indexOf(' ')))
    expect(places.toSorted()).toEqual([
      'main.yaml:4:19',
      'main.yaml:6:32',
      'market.yaml:3:17',
      'story.yaml:3:31',
      'story.yaml:4:48',
      'story.yaml:5:11',
    ])
  })
})
