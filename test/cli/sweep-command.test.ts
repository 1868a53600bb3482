import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { built, project, startBuilt, strategy, waitingProject } from './built-command.ts'
import { otcsim } from './harness.ts'

/* Sweeps with the built command, whose threads load a bundle instead of hundreds of sources. */

const base = ['sweep', 'holder.mjs', '--scenario', 'walk.yaml', '--seeds', '1..6', '--set', 'size=0.5,1']
const plan = ['sweep', 'plan', ...base.slice(1)]

it('gives the same files with one thread and with two, and does not repeat finished cases', async () => {
  const cwd = project()
  const one = await built([...base, '--jobs', '1', '--ndjson', 'one.ndjson', '--store', 'one'], cwd)
  expect(one).toMatchObject({ code: 0 })
  // Each thread once ran the command itself, and served a venue.
  expect(one.err).not.toContain('ready in')
  expect(one.out).toContain('returns.profit over 6 seeds\n')
  expect(one.out).toMatch(/\nsize=0\.5 {2,}6 {2,}0 /)
  expect(one.out).toMatch(
    /\n {2} *-?\d+(?:\.\d+)? {2}npx otcsim backtest holder\.mjs --scenario walk\.yaml --set size=1 --seed \d\n/,
  )
  const outputs = ['--ndjson', 'two.ndjson', '--html', 'two.html', '--parquet', 'two.parquet', '--json']
  const two = await built([...base, '--jobs', '2', ...outputs], cwd)
  expect(two).toMatchObject({ code: 0 })
  const bytes = (name: string): string => readFileSync(join(cwd, name), 'utf8')
  expect(bytes('two.ndjson')).toBe(bytes('one.ndjson'))
  const summary = JSON.parse(two.out)
  expect(summary).toMatchObject({ ok: true, end: 'complete', cases: 12, done: 12, failed: 0 })
  expect(summary.artifacts).toEqual(['two.ndjson', 'two.parquet', 'two.html'])
  const { parameters, seeds, trials } = summary.skill
  expect([trials, seeds, Object.keys(parameters)]).toEqual([2, 6, Object.keys(summary.bestCell)])
  expect(one.out).toContain(`best cell by its median: size=${summary.bestCell.size}\n`)
  expect(one.out).toMatch(/by luck alone the best of 2 cells has .*: deflated \d+\.\d %\n/)
  expect(one.out).toContain(`cases 12 of 12  digest ${summary.digest}\n`)
  expect(bytes('two.html')).toContain('<h2 id="pairs-heading">Paired comparison</h2>')

  // A second time nothing runs, because the store has every case.
  const [store = ''] = readdirSync(join(cwd, '.otcsim', 'sweeps'))
  const before = bytes(join('.otcsim', 'sweeps', store))
  expect(await built([...base, '--json'], cwd)).toMatchObject({ code: 0 })
  expect(bytes(join('.otcsim', 'sweeps', store))).toBe(before)

  // The command that a sweep shows for a case gives the same digest.
  const [worst] = summary.worst
  const words = worst.replay.split(' ').slice(2)
  const alone = await built([...words, '--json'], cwd)
  expect(JSON.parse(alone.out)).toMatchObject({ digest: worst.digest, seed: worst.seed })
})

it('runs shards of a plan that merge to the bytes of the whole, and lists what is missing', async () => {
  const cwd = project()
  expect(await otcsim([...plan, '--param', 'vol=0.4,1.2', '-o', 'plan.json'], { cwd })).toMatchObject({
    code: 0,
    out: '',
  })
  for (const part of ['2/2', '1/2']) {
    const words = ['sweep', 'run', 'plan.json', '--shard', part, '--store', `store-${part[0]}`, '--jobs', '1']
    expect(await built(words, cwd)).toMatchObject({ code: 0 })
  }
  const merged = await otcsim(['sweep', 'merge', 'store-1', 'store-2', '--ndjson', 'merged.ndjson'], { cwd })
  expect(merged).toMatchObject({ code: 0 })
  const whole = ['sweep', 'run', 'plan.json', '--jobs', '1', '--ndjson', 'whole.ndjson']
  expect(await built(whole, cwd)).toMatchObject({ code: 0 })
  expect(readFileSync(join(cwd, 'merged.ndjson'))).toEqual(readFileSync(join(cwd, 'whole.ndjson')))

  const half = await otcsim(['sweep', 'merge', 'store-1'], { cwd })
  expect(half).toMatchObject({ code: 5, out: '' })
  expect(half.err.match(/ is missing$/gm)).toHaveLength(12)
  const twice = await otcsim(['sweep', 'merge', 'store-1', 'store-2', 'store-2'], { cwd })
  expect(twice).toMatchObject({ code: 5 })
  expect(twice.err.match(/ is there twice/g)).toHaveLength(12)
  expect(await otcsim(['sweep', 'merge', 'nothing'], { cwd })).toMatchObject({
    code: 5,
    err: 'cannot read nothing: there is no such file\n',
  })

  // A shard whose strategy was changed has other digests than the plan, and says so.
  writeFileSync(join(cwd, 'holder.mjs'), `${strategy}// changed\n`)
  const changed = await built(['sweep', 'run', 'plan.json', '--store', 'other', '--jobs', '1'], cwd)
  expect(changed).toMatchObject({ code: 5, out: '' })
  expect(changed.err).toMatch(/holder\.mjs differs here \(\w+\) from the sweep's \(\w+\)/)
})

it('records a case whose strategy throws, and fails at the end', async () => {
  const cwd = project()
  const words = [...base, '--set', 'failsAbove=0.7', '--jobs', '1', '--json', '--html', 'report.html']
  const ended = await built(words, cwd)
  expect(ended).toMatchObject({
    code: 1,
    err: expect.stringMatching(/the strategy failed in 6 of 12 cases\n$/),
  })
  const summary = JSON.parse(ended.out)
  expect(summary).toMatchObject({ ok: false, done: 12, failed: 6 })
  expect(summary.failures[0].failure).toContain('too large for me')
  expect(readFileSync(join(cwd, 'report.html'), 'utf8')).toContain('6 cases failed')
})

it('runs its cases with every flag of a run, and repeats those in the commands it shows', async () => {
  const cwd = project()
  const seller = `onTick({ sync }, { index }) {
    if (index <= 40) sync.orders.create({ side: 'sell', asset: 'BTC', quantity: 0.1, price: index === 1 ? 8000 : 40000 + index })
  }`
  writeFileSync(join(cwd, 'seller.mjs'), `export default { name: 'seller', tick: '1s', ${seller} }\n`)
  const candles = Array.from(
    { length: 3 },
    (_, place) => `${1_735_689_600 + 60 * place},9000,9100,8900,9000,5000000`,
  )
  writeFileSync(join(cwd, 'usd.csv'), `time,open,high,low,close,volume\n${candles.join('\n')}\n`)
  const words = ['--data', 'usd.csv', '--volume-in', 'usd', '--margin', '--rate-limits']
  const rows = await built(
    ['sweep', 'seller.mjs', ...words, '--seeds', '1', '--ndjson', 'rows.ndjson', '--json'],
    cwd,
  )
  expect(rows.code).toBe(0)
  const lines = readFileSync(join(cwd, 'rows.ndjson'), 'utf8').trimEnd().split('\n')
  const row = JSON.parse(lines.at(-1) ?? '')
  const [worst] = JSON.parse(rows.out).worst
  expect(worst.replay).toBe(
    'npx otcsim backtest seller.mjs --data usd.csv --volume-in usd --margin --rate-limits --seed 1',
  )
  const again = await built([...worst.replay.split(' ').slice(2), '--json'], cwd)
  const { digest, metrics } = JSON.parse(again.out)
  expect(row).toMatchObject({ digest, failure: null })
  expect(metrics.activity.orders).toBe(40)
})

it('says what it has looked at, and ends with 3 where a strategy gave one case two results', async () => {
  const cwd = project()
  const first = await built([...base, '--jobs', '2'], cwd)
  expect(first.out).toMatch(/\nlooked at: 12 fresh cases, 0 stored cases, 2 repeated cases\ncases 12 of 12/)
  const second = await built([...base, '--jobs', '2', '--repeats', '3'], cwd)
  expect(second.out).toMatch(
    /\nlooked at: 0 fresh cases, 12 stored cases \(of \d{4}-\d\d-\d\dT\d\d:\d\dZ(?: to .*)?\), 3 repeated cases\n/,
  )
  writeFileSync(
    join(cwd, 'leak.mjs'),
    `let runs = 0
    export default { name: 'leak', onTick({ sync }, { index }) {
      if (index === 1) sync.orders.create({ side: 'buy', asset: 'BTC', quantity: ++runs / 10, orderType: 'market' })
    } }`,
  )
  const words = [
    'sweep',
    'leak.mjs',
    '--scenario',
    'walk.yaml',
    '--to',
    '10m',
    '--seeds',
    '1..6',
    '--jobs',
    '2',
    '--json',
  ]
  const ended = await built(words, cwd)
  expect(ended).toMatchObject({
    code: 3,
    err: expect.stringMatching(/not a function of its inputs.*seed "\d": /),
  })
  expect(JSON.parse(ended.out)).toMatchObject({
    ok: false,
    lookedAt: { cases: 6, storedCases: 0, repeats: expect.any(Number) },
    difference: expect.stringMatching(/was .*, then /),
  })
})

it('counts the cells that earlier sweeps have tried on the same data', async () => {
  const cwd = project()
  const skill = async (size: string, ...more: readonly string[]) => {
    const words = [
      'sweep',
      'holder.mjs',
      '--scenario',
      'walk.yaml',
      '--seeds',
      '1..2',
      '--set',
      `size=${size}`,
    ]
    return JSON.parse((await built([...words, '--equity-grid', '5m', '--json', ...more], cwd)).out).skill
  }
  const wide = await skill('0.5,1,2')
  expect(wide).toMatchObject({ trials: 3, earlierTrials: 0 })
  expect(await skill('1,2')).toMatchObject({ trials: 3, earlierTrials: 1, luckySharpe: wide.luckySharpe })
  expect(await skill('1,2', '--trials', '50')).toMatchObject({ trials: 50, earlierTrials: 48 })
  expect(await skill('1,2', '--param', 'vol=0.3')).toMatchObject({ trials: 2, earlierTrials: 0 })
})

// A thread with an unresolved promise never ends by itself, and an unhandled rejection comes after the answer.
it.each([
  [
    'waits for ever',
    'await new Promise(() => {})',
    'onTick failed at 2026-01-05T00:01:00.000Z: Error: it waits',
  ],
  ['waits for a timer', 'await new Promise((resolve) => setTimeout(resolve, 20))', null],
  ['leaves a promise alone', "Promise.reject(new Error('unseen'))", 'waits for was rejected: Error: unseen'],
])('records a strategy that %s', async (_name, line, failure) => {
  const cwd = project()
  const buy = "await venue.orders.create({ side: 'buy', asset: 'BTC', quantity: 0.1, orderType: 'market' })"
  const hooks = `async onStart({ venue }) { ${buy} }, async onTick(_, { index }) { if (index === 1) ${line} }`
  writeFileSync(join(cwd, 'odd.mjs'), `export default { name: 'odd', ${hooks} }\n`)
  const where = ['--scenario', 'walk.yaml', '--to', '10m', '--json']
  const [sweep, single] = await Promise.all([
    built(['sweep', 'odd.mjs', ...where, '--seeds', '1', '--jobs', '1'], cwd),
    built(['backtest', 'odd.mjs', ...where], cwd),
  ])
  expect([sweep.code, single.code]).toEqual(failure === null ? [0, 0] : [1, 1])
  if (failure === null) return
  expect(JSON.parse(sweep.out).failures[0].failure).toContain(failure)
  expect(single.err).toContain(failure)
  expect(single.out).toBe('')
})

it('continues after Ctrl-C and after a kill, and ends with the same bytes', async () => {
  const cwd = waitingProject()
  const words = [...base, '--seeds', '1..15', '--jobs', '1', '--store', 'store', '--trust-store']
  const store = join(cwd, 'store')
  const rows = (): number => (existsSync(store) ? readFileSync(store, 'utf8').split('\n').length - 2 : 0)
  /** Starts the sweep, sends it a signal after so many more cases, and returns its exit code. */
  const stopAfter = async (cases: number, signal: 'SIGINT' | 'SIGKILL'): Promise<number | null> => {
    const before = rows()
    writeFileSync(join(cwd, 'hold'), String(cases))
    const child = startBuilt(words, cwd)
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    await expect.poll(rows).toBe(before + cases)
    child.kill(signal)
    rmSync(join(cwd, 'hold'))
    const code = await ended
    expect(rows()).toBeLessThan(30)
    return code
  }
  expect(await stopAfter(8, 'SIGINT')).toBe(130)
  expect(existsSync(`${store}.lock`)).toBe(false)
  expect(await stopAfter(8, 'SIGKILL')).toBeNull()
  expect(existsSync(`${store}.lock`)).toBe(true)
  const resumed = await built([...words, '--ndjson', 'resumed.ndjson'], cwd)
  expect(resumed).toMatchObject({ code: 0 })
  const whole = await built([...words, '--store', 'other', '--ndjson', 'whole.ndjson'], cwd)
  expect(whole).toMatchObject({ code: 0 })
  expect(readFileSync(join(cwd, 'resumed.ndjson'))).toEqual(readFileSync(join(cwd, 'whole.ndjson')))
})

it.each<[number, readonly string[], RegExp]>([
  [2, ['--seeds', '5..1'], /the range 5\.\.1 is empty/],
  [2, ['--set', 'sise=1'], /no parameter "sise"; did you mean "size"\?/],
  [2, ['--set', 'size=-1'], /size/],
  [2, ['--set', 'size=1,1'], /size: 1 is there twice/],
  [2, ['--param', 'vl=1'], /no parameter "vl"\. Did you mean "vol"\?/],
  [2, ['--scenario', 'wolk.yaml'], /wolk\.yaml: there is no such file/],
  [2, ['--budget', 'soon'], /--budget: expected a span such as 5m, found "soon"/],
  [2, ['--budget', '25d'], /--budget: expected a span such as 5m, at most 24d, found "25d"/],
  [2, ['--to', '1d', '--equity-grid', '1ms'], /--equity-grid: every 1ms would be 86400000 points; /],
  [2, ['--jobs', '0'], /expected auto or a number of threads/],
  [2, ['--queue', 'http://x'], /--queue: expected an address such as redis/],
  [4, ['--queue', 'redis://127.0.0.1:1'], /cannot reach redis:\/\/127\.0\.0\.1:1: /],
])('ends with %i for %j', async (code, words, err) => {
  const ended = await otcsim([...base, ...words], { cwd: project() })
  expect(ended).toMatchObject({ code, out: '' })
  expect(ended.err).toMatch(err)
})

it('names the nearest figure for an unknown objective', async () => {
  const ended = await built([...base, '--objective', 'returns.profits', '--jobs', '1'], project())
  expect(ended).toMatchObject({ code: 2, out: '' })
  expect(ended.err).toContain('no figure "returns.profits"; did you mean "returns.profit"?')
})

it('refuses plans and shards that it cannot read', async () => {
  const cwd = project()
  expect(await otcsim(['sweep', 'run', 'holder.mjs'], { cwd })).toMatchObject({
    code: 5,
    err: 'holder.mjs is not a plan of a sweep in this format\n',
  })
  await otcsim([...plan, '-o', 'plan.json'], { cwd })
  for (const part of ['0/2', '3/2', '1', 'a/b']) {
    const ended = await otcsim(['sweep', 'run', 'plan.json', '--shard', part], { cwd })
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining('counted from 1') })
  }
})

it('takes its options from the shared configuration file', async () => {
  const cwd = project()
  writeFileSync(
    join(cwd, 'otcsim.config.yaml'),
    'port: 4011\nseeds: 1..3\nset: { size: "0.5,1" }\nscenario: walk.yaml\n',
  )
  expect(await otcsim(['sweep', 'plan', 'holder.mjs', '-o', 'plan.json'], { cwd })).toMatchObject({
    code: 0,
  })
  expect(JSON.parse(readFileSync(join(cwd, 'plan.json'), 'utf8'))).toMatchObject({
    seeds: ['1', '2', '3'],
    grid: [{ name: 'size', of: 'strategy', values: ['0.5', '1'] }],
    work: { scenario: { name: 'walk.yaml' } },
  })
})
