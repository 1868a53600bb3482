import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { built, program, project } from './built-command.ts'
import { press } from './press-keys.ts'

/*
 * What long work of many parts shows while it lasts: one line on a terminal, rewritten and then cleared, with what is done of
 * all, what failed, and how long it may still take.
 */

const [clearLine, wrapOff, wrapOn] = ['\u001B[2K', '\u001B[?7l', '\u001B[?7h']

/** Splits what a terminal has printed into the texts of its live line, and what is left of the rest. */
function splitLive(printed: string): { readonly lines: readonly string[]; readonly rest: string } {
  const [before = '', ...pieces] = printed.split(`${clearLine}${wrapOff}`)
  const parts = pieces.map((piece) => piece.split(wrapOn))
  const rest = [before, ...parts.map(([, after = '']) => after)].join('').replaceAll(clearLine, '')
  return { lines: parts.map(([text = '']) => text), rest }
}

/** A day of the default market, eight times; half of the runs expect what cannot be. */
const scenario = `
version: 1
name: days
clock: {start: 2026-01-05T00:00:00Z, end: 2026-01-06T00:00:00Z}
params: {least: 1}
matrix: {seed: 1..4, least: [1, 1000000000]}
market: {assets: {BTC: {price: 50000}}}
expect:
  - {at: +1h, that: "price.BTC.mid > \${least}"}
`

describe('a line of many parts', { tags: ['python3'] }, () => {
  it('is rewritten by run --jobs, leaves its reports whole, and is ten lines of a pipe at most', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'days.yaml'), scenario)
    const words = ['run', 'days.yaml', '--jobs', '2']
    const command = [process.execPath, program, ...words]
    const { lines, rest } = splitLive(await press([], command, { cwd }))
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) expect(line).toMatch(/^[1-8] of 8 runs {2}[0-4] failed {2}\d+ s left$/)
    expect(rest).toContain('4 of 8 scenarios failed')
    expect(await press([], command, { cwd, isCi: true })).not.toMatch(/ s left/)
    const { err } = await built(words, cwd)
    expect(err).not.toContain(clearLine)
    expect(err.match(/ s left$/gm)?.length ?? 0).toBeLessThanOrEqual(10)
    for (const sign of [clearLine, wrapOff, wrapOn]) expect(rest).not.toContain(sign)
  })

  it('is shown by sweep with the spread of its figure, and by matrix with what was tried last', async () => {
    const cwd = project()
    const swept = ['sweep', 'holder.mjs', '--scenario', 'walk.yaml', '--seeds', '1..40', '--jobs', '1']
    const sweep = splitLive(await press([], [process.execPath, program, ...swept], { cwd }))
    expect(sweep.lines.length).toBeGreaterThan(0)
    for (const line of sweep.lines)
      expect(line).toMatch(
        /^\d+ of 40 cases {2}0 failed {2}\d+ s left {2}returns\.profit best .*, median .*, worst /,
      )
    expect(sweep.rest).toContain('cases 40 of 40')

    const only = 'envelope,createdStatus,batchStatus,nulls,lists.order,ids.format'
    const ask = `fetch(process.env.OTC_BASE_URL + '/api/sdk/orders', { headers: { 'X-API-Key': process.env.OTC_API_KEY } })`
    const tried = ['matrix', '--no-faults', '--only', only, '--jobs', '1', '--', process.execPath, '-e', ask]
    const matrix = splitLive(await press([], [process.execPath, program, ...tried], { cwd }))
    expect(matrix.lines.length).toBeGreaterThan(0)
    for (const line of matrix.lines)
      expect(line).toMatch(/^\d+ of \d+ combinations {2}\d+ failed {2}\d+ s left {2}\S/)
  })
})
