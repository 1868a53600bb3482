import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/temporary-folder.ts'
import { project } from './built-command.ts'
import { otcsim } from './harness.ts'

/* Editors, spreadsheets and PowerShell's `>` write files in UTF-16, or begin UTF-8 with a byte order mark. */

const littleEndian = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')
const encodings: readonly (readonly [name: string, encode: (text: string) => Buffer])[] = [
  ['UTF-16, little-endian', littleEndian],
  ['UTF-16, big-endian', (text) => littleEndian(text).swap16()],
  ['UTF-8 with a byte order mark', (text) => Buffer.from(`\ufeff${text}`)],
]

const scenario = `version: 1
name: inner # Übung
clock: {end: 10s}
market: {flow: {kind: none}, assets: {BTC: {price: 50000, model: {kind: constant}}}}
expect:
  - {at: +5s, recorded: true, that: {price.BTC.mark: {eq: 1}}}
`

const candles = `timestamp,open,high,low,close,volume\n${Array.from({ length: 30 }, (_, hour) => `${Date.UTC(2025, 0, 1, hour)},100,102,99,101,7.5\n`).join('')}`

describe.each(encodings)('%s', (_, encode) => {
  it('is read as a scenario, and as one that another includes', async () => {
    const cwd = folderWith({ 'outer.yaml': 'version: 1\nname: outer\ninclude: [inner.yaml]\n' })
    writeFileSync(join(cwd, 'inner.yaml'), encode(scenario))
    for (const file of ['inner.yaml', 'outer.yaml'])
      expect(await otcsim(['validate', file], { cwd })).toMatchObject({ code: 0 })
  })

  it('is read as a scenario whose recorded values are updated', async () => {
    const cwd = folderWith({})
    writeFileSync(join(cwd, 'one.yaml'), encode(scenario))
    const updated = await otcsim(['run', 'one.yaml', '--update'], { cwd })
    expect(updated).toMatchObject({ code: 0, err: 'updated one.yaml:6  1 -> 50000\n' })
    expect(readFileSync(join(cwd, 'one.yaml'), 'utf8')).toBe(scenario.replace('eq: 1', 'eq: 50000'))
  })

  it('is read as a recording', async () => {
    const cwd = folderWith({})
    writeFileSync(join(cwd, 'utf8.csv'), candles)
    writeFileSync(join(cwd, 'other.csv'), encode(candles.replaceAll(',', '\t')))
    const [plain, other] = await Promise.all(
      ['utf8.csv', 'other.csv'].map((file) => otcsim(['doctor', file, '--json'], { cwd })),
    )
    expect(other?.code).toBe(0)
    expect(JSON.parse(other?.out ?? '').files[0].rows).toBe(JSON.parse(plain?.out ?? '').files[0].rows)
  })

  it('is read as a configuration, as the plan of a sweep, as pins and as the result of another run', async () => {
    const cwd = project()
    const encoded = (name: string, text: string): void => writeFileSync(join(cwd, name), encode(text))
    encoded('otcsim.config.yaml', 'scenario: walk.yaml\n')
    const run = ['backtest', 'holder.mjs', '--to', '1m']
    const result = await otcsim([...run, '--json'], { cwd })
    expect(result.code).toBe(0)
    encoded('earlier.json', result.out)
    const beside = await otcsim([...run, '--beside', 'earlier.json', '--html', 'report.html'], { cwd })
    expect(beside).toMatchObject({ code: 0 })
    const planned = await otcsim(['sweep', 'plan', 'holder.mjs', '--to', '1m', '--seeds', '1'], { cwd })
    encoded('plan.json', planned.out)
    const swept = await otcsim(['sweep', 'run', 'plan.json', '--shard', '2/9', '--store', 'part'], { cwd })
    expect(swept.out).toContain('These are 0 of the 1 cases of the plan')
    encoded('pins.json', '{"idempotency.scope": "nonsense"}')
    const matrix = await otcsim(['matrix', '--pins', 'pins.json', '--', 'true'], { cwd })
    expect(matrix.err).toContain('pins.json: idempotency.scope')
  })
})

describe('bytes that are no text', () => {
  it.each([
    ['a scenario', ['validate', 'file']],
    ['a configuration', ['validate', 'good.yaml', '--config', 'file']],
    ['the plan of a sweep', ['sweep', 'run', 'file', '--shard', '1/1', '--store', 'part']],
    ['pins', ['matrix', '--pins', 'file', '--', 'true']],
    ['a body to sign', ['sign', 'POST', '/orders', '--data', '@file']],
  ])('are refused in %s, and not replaced', async (_, words) => {
    const cwd = folderWith({ 'good.yaml': scenario })
    writeFileSync(join(cwd, 'file'), Buffer.from('{"seed": "caf\xe9"}', 'latin1'))
    expect(await otcsim(words, { cwd })).toMatchObject({
      code: 2,
      err: expect.stringContaining('cannot read file: it is not UTF-8 text'),
    })
  })
})

it('a recorded book in UTF-16 is refused, with what to do', async () => {
  const cwd = folderWith({})
  writeFileSync(join(cwd, 'book.csv'), littleEndian('atMillis,side,price,quantity\n1,bid,1,1\n'))
  expect(await otcsim(['doctor', '--book', 'book.csv'], { cwd })).toMatchObject({
    code: 5,
    out: expect.stringContaining('book.csv: cannot be read: it is UTF-16; save it as UTF-8'),
  })
})
