import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createMarket } from '../../src/market/create-market.ts'
import { defaultAsset } from '../realism/specs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type Finished, otcsim } from './harness.ts'

/* A fit takes a minute or so: it is part of full runs (slowFiles). */

const hour = 3_600_000
const start = Date.UTC(2025, 0, 6)

/** Hours of the default model with four times the volatility, and 10 units an hour. */
function writeRecording(folder: string): void {
  const usual = defaultAsset('BTC')
  const model = { ...usual.model, vol: 2.4 }
  const market = createMarket({
    seed: 'recording',
    startMillis: start,
    gridMillis: 60_000,
    assets: [{ ...usual, model: model as typeof usual.model, price: 500 }],
  })
  const close = (place: number): number => Number(market.minuteClose(0, 60 * place - 1).toPrecision(8))
  const rows = Array.from({ length: 26 * 168 }, (_, place) => {
    const [open, end] = [close(place), close(place + 1)]
    return [start + place * hour, open, Math.max(open, end), Math.min(open, end), end, 10].join(',')
  })
  writeFileSync(join(folder, 'hours.csv'), `time,open,high,low,close,volume\n${rows.join('\n')}\n`)
}

describe('otcsim fit', () => {
  const cwd = temporaryFolder()
  let printed: Finished
  beforeAll(async () => {
    writeRecording(cwd)
    printed = await otcsim(['fit', 'hours.csv', '--asset', 'ABC'], { cwd })
  }, 600_000)

  it('prints a scenario that validates and runs, and says at what it has looked', async () => {
    expect(printed.code).toBe(0)
    expect(printed.err).toMatch(/looked at: 4368 closes, 25 weeks, \d+ trials/)
    writeFileSync(join(cwd, 'fitted.yaml'), printed.out)
    expect((await otcsim(['validate', 'fitted.yaml'], { cwd })).code).toBe(0)
    expect((await otcsim(['run', 'fitted.yaml'], { cwd })).code).toBe(0)
  })

  it('finds the volatility of the recording, and how near the model comes', () => {
    const vol = Number(/^ {8}vol: (\S+)$/m.exec(printed.out)?.[1])
    expect(vol).toBeGreaterThan(1.4)
    expect(vol).toBeLessThan(3.6)
    expect(printed.out).toMatch(/AUC of\n# 0\.\d\d \(± 0\.\d\d\); without the fit 0\.\d\d \(± 0\.\d\d\)/)
    expect(printed.out).toMatch(/# log_sd +-\d/)
  })

  it('says the same as JSON, and every time', async () => {
    const json = await otcsim(['fit', 'hours.csv', '--asset', 'ABC', '--json'], { cwd })
    const said = JSON.parse(json.out)
    expect(said).toMatchObject({
      ok: true,
      lookedAt: { closes: 4_368, weeks: 25 },
      windows: [{ kind: 'week of hours', auc: { auc: expect.any(Number) } }],
    })
    for (const [name, value] of Object.entries(said.model))
      expect(printed.out).toContain(`        ${name}: ${value}\n`)
  }, 600_000)
})
