import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith } from '../support/temporary-folder.ts'
import { built } from './built-command.ts'
import { otcsim } from './harness.ts'
import { matrix } from './matrix-scenario.ts'

interface Scenarios {
  readonly scenarios: readonly {
    readonly name: string
    readonly seed: string
    readonly digest: string
    readonly failures: readonly { readonly expected: string; readonly got: string }[]
  }[]
}

const jsonOf = (text: string): Scenarios => JSON.parse(text)

it('runs every combination of a matrix, and judges over all of them', async () => {
  const cwd = folderWith({ 'many.yaml': matrix })
  const ended = await otcsim(['run', 'many.yaml', '--reporter', 'json'], { cwd })
  expect(ended).toMatchObject({ code: 1, err: '1 of 11 scenarios failed\n' })
  const { scenarios } = jsonOf(ended.out)
  expect(scenarios.map(({ name }) => name)).toEqual([
    ...[1, 2, 3, 4, 5].flatMap((seed) => [1, 2].map((size) => `many [seed=${seed} size=${size}]`)),
    'many [all 10 runs]',
  ])
  expect(new Set(scenarios.map(({ digest }) => digest)).size).toBe(11)
  expect(scenarios.at(-1)?.failures).toMatchObject([
    {
      line: 11,
      col: 55,
      expected: 'max over seed of order[o].filledQuantity <= 1',
      got: 'max over 10 runs = 2',
      message: 'no more than one',
    },
  ])
})

it('counts expectations of a run with each run, and those over all runs once', async () => {
  const cwd = folderWith({ 'many.yaml': matrix })
  const ended = await otcsim(['run', 'many.yaml', '--reporter', 'pretty,junit:many.xml'], { cwd })
  const held = ended.out.split('\n').filter((line) => line.startsWith('  expectations'))
  expect(held).toEqual([
    ...Array.from({ length: 10 }, () => '  expectations  none of its own'),
    '  expectations  1 of 2 held',
  ])
  expect(ended.out).toContain('✗ many [all 10 runs]  many.yaml\n')
  const xml = readFileSync(join(cwd, 'many.xml'), 'utf8')
  expect(xml.match(/<testcase [^>]*median over seed/g)).toHaveLength(1)
  expect(xml).toContain('tests="12" failures="1"')
})

const recorded = `version: 1
name: recorded
params: {data: rising.csv}
matrix: {data: [rising.csv, falling.csv]}
clock: {start: data, end: data}
market: {flow: {kind: none}, assets: {BTC: {model: {kind: replay, data: "\${data}"}}}}
expect: [{at: end, that: price.BTC.mark > 100}]
`

const minutes = (...closes: readonly number[]) =>
  `time,open,high,low,close\n${closes.map((close, minute) => `2026-01-05T00:0${minute}:00Z,${close},${close},${close},${close}\n`).join('')}`

it.each(['1', '2'])('finds the files of a matrix beside the scenario, wherever it runs: %s', async (jobs) => {
  const files = { 'rising.csv': minutes(100, 101), 'falling.csv': minutes(100, 99) }
  const cwd = folderWith({ 'recorded.yaml': recorded, ...files })
  const above = (words: readonly string[]) =>
    built(['run', join(basename(cwd), 'recorded.yaml'), ...words], dirname(cwd))
  const ended = await above(['--jobs', jobs])
  expect(ended).toMatchObject({ code: 1, err: expect.stringMatching(/\n1 of 2 scenarios failed\n$/) })
  const [, told = ''] = /replay +npx otcsim run \S+ (.*)/.exec(ended.out) ?? []
  expect(told).toBe("--only '[data=falling.csv]'")
  expect((await above(['--only', '[data=falling.csv]'])).out).toContain('expectations  0 of 1 held')
})

it.each(['1', '2'])('ends with 5 when a recording of a matrix is missing: %s', async (jobs) => {
  const cwd = folderWith({ 'recorded.yaml': recorded, 'rising.csv': minutes(100, 101) })
  const ended = await built(['run', 'recorded.yaml', '--jobs', jobs], cwd)
  expect(ended.code).toBe(5)
  expect(ended.err).toContain('falling.csv: there is no such file')
})

it('says that a shard is empty', async () => {
  const ended = await otcsim(['run', 'calm', '--shard', '2/2'])
  expect(ended).toEqual({
    code: 1,
    out: '',
    err: 'nothing was judged: the shard 2/2 is empty: there are fewer runs than shards\n',
  })
  const allowed = await otcsim(['run', 'calm', '--shard', '2/2', '--allow-no-expectations'])
  expect(allowed).toEqual({ ...ended, code: 0 })
})

it('says of a part of the runs that expectations over all of them are judged by no part', async () => {
  const cwd = folderWith({ 'many.yaml': matrix, 'both.yaml': `${matrix}  - {always: "clock < 9999999"}\n` })
  const part = await otcsim(['run', 'many.yaml', '--shard', '1/2'], { cwd })
  expect(part.code).toBe(1)
  expect(part.err).toBe(
    '1 of 6 scenarios failed\nmany [5 of 10 runs]: nothing was judged: there are 2 expectations, and none was judged\n',
  )
  for (const words of [
    ['--shard', '1/2'],
    ['--only', 'size=1'],
  ]) {
    const both = await otcsim(['run', 'both.yaml', ...words], { cwd })
    expect(both).toMatchObject({ code: 0, err: '' })
    expect(both.out).toMatch(
      /– many \[5 of 10 runs\].*\n {2}– both\.yaml:10:5 {2}not judged: median over seed .*\n {6}only 5 of 10 runs ran, and it is judged over all of them\n/,
    )
    expect(both.out).toContain('expectations  0 of 2 held, 2 not judged\n')
    expect(both.out).toMatch(/\n5 of 6 runs passed, 1 not judged, looked at: 5 expectations, \d+ evaluations/)
  }
})

it('runs the same matrix on threads and in shards', async () => {
  const cwd = folderWith({ 'many.yaml': matrix })
  const run = async (...words: string[]) =>
    (await otcsim(['run', 'many.yaml', '--reporter', 'json', ...words], { cwd })).out
  const whole = await run()
  const threads = await built(['run', 'many.yaml', '--reporter', 'json', '--jobs', '2'], cwd)
  expect(threads.out).toBe(whole)
  const shards = [await run('--shard', '1/2'), await run('--shard', '2/2')].map(
    (out) => jsonOf(out).scenarios,
  )
  const names = shards
    .flat()
    .filter(({ digest }) => digest !== '')
    .map(({ name, digest }) => `${name} ${digest}`)
  const all = jsonOf(whole)
    .scenarios.slice(0, -1)
    .map(({ name, digest }) => `${name} ${digest}`)
  expect(names.toSorted()).toEqual(all.toSorted())
  expect(shards.map((shard) => shard.length)).toEqual([6, 6])
  expect(jsonOf(await run('--only', 'seed=3 size=2')).scenarios.map(({ name }) => name)).toEqual([
    'many [seed=3 size=2]',
    'many [1 of 10 runs]',
  ])
  expect(jsonOf(await run('--seed', '9')).scenarios.map(({ name, seed }) => [name, seed])).toEqual([
    ['many [size=1]', '9'],
    ['many [size=2]', '9'],
    ['many [all 2 runs]', '9'],
  ])
})

it('validates a matrix for all its parameters without running it', async () => {
  const cwd = folderWith({ 'many.yaml': matrix, 'bad.yaml': matrix.replace('size: [1, 2]', 'size: [1, 0]') })
  expect(await otcsim(['validate', 'many.yaml'], { cwd })).toMatchObject({
    code: 0,
    out: 'many.yaml: ok, many, 1 asset, 4 accounts, 1 action, 2 expectations, 10 runs, 2 sets of parameters\n',
  })
  const bad = await otcsim(['validate', 'bad.yaml'], { cwd })
  expect(bad).toMatchObject({ code: 2, out: '' })
  expect(bad.err).toContain('timeline[0].order.quantity: ')
})

it('says when it validates what would be left out', async () => {
  const late = matrix.replace('expect:', 'expect:\n  - {at: +1m, ifReached: true, that: clock > 1}')
  const done = await otcsim(['validate', 'late.yaml'], { cwd: folderWith({ 'late.yaml': late }) })
  expect(done.out).toContain(', 2 expectations, 1 left out after the end, 10 runs')
})

it('judges a file that is named twice by the runs of each naming', async () => {
  const cwd = folderWith({ 'many.yaml': matrix })
  const done = await otcsim(['run', 'many.yaml', 'many.yaml', '--reporter', 'json'], { cwd })
  const wholes = jsonOf(done.out).scenarios.filter(({ digest }) => digest === '')
  expect(wholes.map(({ name }) => name)).toEqual(['many [all 10 runs]', 'many [all 10 runs]'])
})

it('stops at the first failure when asked to', async () => {
  const failing = matrix.replace('expect:\n', 'expect:\n  - {at: +1s, that: price.BTC.mark == 0}\n')
  const cwd = folderWith({ 'a.yaml': failing, 'b.yaml': failing })
  const ended = await otcsim(['run', 'a.yaml', 'b.yaml', '--bail', '--reporter', 'json'], { cwd })
  expect(ended).toMatchObject({ code: 1, err: '1 of 1 scenarios failed, 19 not run\n' })
})
