import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createMarket } from '../../src/market/create-market.ts'
import { readModel } from '../../src/market/models/price-models.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { otcsim } from './harness.ts'

/* A fit takes a minute or so: it is part of full runs (slowFiles). */

const hour = 3_600_000
const start = Date.UTC(2025, 0, 6)

/** Writes hours of the default model with four times the volatility, and 10 units an hour. */
function writeRecording(folder: string): void {
  const model = readModel({ kind: 'market', vol: 2.4 }, { symbol: 'BTC', price: 500, candles: [] }, [])
  const market = createMarket({
    seed: 'recording',
    startMillis: start,
    gridMillis: 60_000,
    assets: [{ symbol: 'BTC', price: 500, model, flow: { kind: 'none' } }],
  })
  const close = (place: number): number => Number(market.minuteClose(0, 60 * place - 1).toPrecision(8))
  const rows = Array.from({ length: 26 * 168 }, (_, place) => {
    const [open, end] = [close(place), close(place + 1)]
    return [start + place * hour, open, Math.max(open, end), Math.min(open, end), end, 10].join(',')
  })
  writeFileSync(join(folder, 'hours.csv'), `time,open,high,low,close,volume\n${rows.join('\n')}\n`)
}

it('prints a scenario that validates and runs, with how near it comes, and the same every time', async () => {
  const cwd = temporaryFolder()
  writeRecording(cwd)
  const printed = await otcsim(['fit', 'hours.csv', '--asset', 'ABC'], { cwd })
  expect([printed.code, printed.err]).toEqual([
    0,
    expect.stringMatching(/looked at: 4368 closes, 25 weeks, \d+ trials/),
  ])
  const vol = Number(/^ {8}vol: (\S+)$/m.exec(printed.out)?.[1])
  expect(vol).toBeGreaterThan(1.4)
  expect(vol).toBeLessThan(3.6)
  expect(printed.out).toMatch(/AUC of\n# 0\.\d\d \(± 0\.\d\d\); without the fit 0\.\d\d \(± 0\.\d\d\)/)
  expect(printed.out).toMatch(/# log_sd +-\d/)

  writeFileSync(join(cwd, 'fitted.yaml'), printed.out)
  expect(await otcsim(['validate', 'fitted.yaml'], { cwd })).toMatchObject({ code: 0 })
  expect(await otcsim(['run', 'fitted.yaml'], { cwd })).toMatchObject({ code: 0 })

  const json = await otcsim(['fit', 'hours.csv', '--asset', 'ABC', '--json'], { cwd })
  const said = JSON.parse(json.out)
  expect(said).toMatchObject({
    ok: true,
    lookedAt: { closes: 4_368, weeks: 25 },
    windows: [{ kind: 'week of hours', auc: { auc: expect.any(Number) } }],
  })
  for (const [name, value] of Object.entries(said.model))
    expect(printed.out).toContain(`        ${name}: ${value}\n`)
}, 900_000)
