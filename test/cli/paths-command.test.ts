import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { otcsim } from './harness.ts'

describe('otcsim paths', () => {
  it('draws a model over several seeds, with the same bytes for the same arguments', async () => {
    const words = ['paths', '--model', 'gbm,vol=0.5', '--seeds', '1..3', '--span', '2d']
    const first = await otcsim(words)
    expect(first.code).toBe(0)
    expect((await otcsim(words)).out === first.out).toBe(true)
    expect(first.out).toContain('<h1>Price paths: gbm,vol=0.5</h1>')
    expect(first.out).toContain('2d, a point each 2m')
    expect(first.out.match(/<path class="line s[123]" d="M[^"]{2000}/g)).toHaveLength(3)
    expect(first.out).not.toMatch(/NaN|undefined|<script|https?:\/\/(?!www\.w3\.org)/)
  })

  it('draws a fan of many seeds, and each in a table', async () => {
    const { code, out } = await otcsim([
      'paths',
      '--model',
      'gbm',
      '--seeds',
      '20..44',
      '--span',
      '6h',
      '--price',
      '2000',
    ])
    expect(code).toBe(0)
    expect(out).toContain('5 to 95 %')
    expect(out.match(/<tr><th scope="row">/g)).toHaveLength(25)
    expect(out).toContain('<th scope="row">44</th><td class="figure">2,000</td>')
  })

  it.each([
    // Days from midnight of three seeds: the first needs no minute before, as there is a history.
    ['gbm', '2d', 6, 'these 6', 98, 100],
    ['market', '14d', 42, 'these 42', 50, 95],
  ])('says how like a real one %s is, over %s', async (model, span, _, those, least, most) => {
    const { code, out } = await otcsim(['paths', '--model', model, '--seeds', '1..3', '--span', span])
    expect(code).toBe(0)
    expect(out).toContain('Is this like a real market?')
    const [, windows, share] =
      /recorded day of minutes and one of (these \d+), [^.]*?(\d+) % of the time/.exec(out) ?? []
    expect(windows).toBe(those)
    expect(Number(share)).toBeGreaterThanOrEqual(least)
    expect(Number(share)).toBeLessThanOrEqual(most)
    expect(out).toContain('236 recorded ones')
    expect(out.includes('recorded week of hours')).toBe(span === '14d')
  })

  it('says where it has judged nothing, and nothing of what is scripted', async () => {
    const short = await otcsim(['paths', '--model', 'market', '--seeds', '1', '--span', '6h'])
    expect(short.out).toContain('it has no whole day from midnight (UTC)')
    const scripted = await otcsim(['paths', '--model', 'constant', '--seeds', '1', '--span', '2d'])
    expect(scripted.out).not.toContain('like a real')
  })

  it('draws every seed that it counts', async () => {
    const { code, out } = await otcsim(['paths', '--model', 'gbm', '--span', '6h'])
    expect(code).toBe(0)
    expect(out).toContain('the lowest of 12 seeds')
    // Eight colours, and a second time dashed.
    const prices = out.slice(0, out.indexOf('Returns of BTC'))
    const lines = [...prices.matchAll(/<path class="(line s\d(?: dashed)?)" d="M[^"]{500}/g)]
    expect(new Set(lines.map(([, look]) => look)).size).toBe(12)
    expect(lines).toHaveLength(12)
    expect(out).toMatch(/ %, excess kurtosis −?\d\.\d\d \(0 is normal\)/)
  })

  it('draws the lowest and the highest seed of a fan, and names them', async () => {
    const { out } = await otcsim(['paths', '--model', 'gbm', '--span', '6h', '--seeds', '1..24'])
    const [, lowest, highest] = /\(seed (\d+)\), the median .*? USD \(seed (\d+)\)/.exec(out) ?? []
    const rows = [
      ...out.matchAll(/<th scope="row">(\d+)<\/th>(?:<td[^>]*>[^<]*<\/td>){3}<td[^>]*>([\d,]+)</g),
    ]
    const byEnd = rows
      .map(([, seed, end = '']) => ({ seed, end: Number(end.replaceAll(',', '')) }))
      .sort((left, right) => left.end - right.end)
    expect(rows).toHaveLength(24)
    expect([lowest, highest]).toEqual([byEnd[0]?.seed, byEnd.at(-1)?.seed])
    for (const seed of [lowest, highest]) expect(out).toContain(`>seed ${seed}<`)
  })

  it("draws one asset of a scenario over the scenario's own span, into a file", async () => {
    const cwd = temporaryFolder()
    const words = ['paths', 'events/flash-2023-08-17', '--asset', 'ETH', '--seeds', 'a,b', '--html', 'p.html']
    const { code, out } = await otcsim([...words, '--param', 'grid=1m'], { cwd })
    expect([code, out]).toEqual([0, ''])
    const page = readFileSync(join(cwd, 'p.html'), 'utf8')
    expect([...page.matchAll(/<h2 [^>]*>(.*?)<\/h2>/g)].map(([, title]) => title)).toEqual(['ETH'])
    expect(page).toContain('ETH from 2023-08-17T19:00:00.000Z over 9h')
    expect(page).toContain('seed b')
  })

  it.each([
    [[], 'name a scenario, or a price model with --model'],
    [['calm', '--model', 'gbm'], 'name a scenario, or a price model with --model'],
    [['--model', 'gmb'], 'Did you mean "gbm"?'],
    [['--model', 'gbm', '--price', '-1'], '--price: expected an amount above 0'],
    [['calm', '--price', '5'], '--price needs --model'],
    [['--model', 'gbm', '--param', 'a=1'], '--param does not go with --model'],
    [['calm', '--asset', 'BTX'], 'did you mean "BTC"?'],
    [['calm', '--span', 'long'], '--span: expected a time from the grid to 3660d'],
    [['calm', '--seeds', '1..5000'], '--seeds: at most 1000 seeds'],
    [['calm', '--seeds', '9..5'], 'the range 9..5 is empty'],
    [['calm', '--html', '.', '--span', '1h', '--seeds', '1'], 'cannot write .: it is a directory'],
  ])('refuses %j', async (words, message) => {
    const { code, err } = await otcsim(['paths', ...words], { cwd: temporaryFolder() })
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  })
})
