import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createStream } from '../../src/numeric/random.ts'
import { type RedisServer, startRedis } from '../backtest/sweep/redis.ts'
import { isFullRun } from '../support/full-run.ts'
import { folderWith } from '../support/temporary-folder.ts'
import { built, ownEnvironment, program, project } from './built-command.ts'

/*
 * Sweeps over a real Redis while their strategy, its import and its weights are edited and workers are killed: each case
 * that comes has the bytes that a fresh process has for what the sweep was planned with, or it does not come.
 * @module-tag redis-server
 */

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

const rounds = isFullRun ? 12 : 3
const seeds = 60

/** A strategy in three files, each of which an edit changes alone; the versions differ in what they buy. */
const versions = [
  ['1', '1', '1'],
  ['2', '1', '1'],
  ['1', '3', '1'],
  ['1', '1', '5'],
] as const

function write(cwd: string, version: number): void {
  const [own, imported, weight] = versions[version] ?? versions[0]
  writeFileSync(
    join(cwd, 's.mjs'),
    `import { readFileSync } from 'node:fs'
    import { size } from '#own/size.mjs'
    const weight = Number(readFileSync(new URL('./weight.txt', import.meta.url), 'utf8'))
    export default { name: 'edited', onTick({ sync }, { index }) {
      if (index === 1) sync.orders.create({ side: 'buy', asset: 'BTC', quantity: ${own} * size * weight, orderType: 'market' })
    } }`,
  )
  writeFileSync(join(cwd, 'size.mjs'), `export const size = ${imported}`)
  writeFileSync(join(cwd, 'weight.txt'), weight)
}

const words = ['sweep', 's.mjs', '--scenario', 'walk.yaml', '--seeds', `1..${seeds}`]

/** The rows of a store or of results, by their ids. */
function readRows(path: string): ReadonlyMap<string, string> {
  if (!existsSync(path)) return new Map()
  const [, ...lines] = readFileSync(path, 'utf8').split('\n')
  return new Map(
    lines.flatMap((line) => {
      const text = /"row":(\{.*\})\}$/.exec(line)?.[1] ?? (line.startsWith('{"id"') ? line : null)
      return text === null ? [] : [[JSON.parse(text).id, text] as const]
    }),
  )
}

/** Keeps two workers alive: one that refuses or is killed is started anew. */
function keepWorkers(cwd: string): () => void {
  const workers: (ChildProcess | null)[] = [null, null]
  let isOver = false
  const start = (place: number): void => {
    if (isOver) return
    const child = spawn(
      process.execPath,
      [program, 'worker', '--queue', redis.url, '--jobs', '1', '--take-over-after', '1s'],
      {
        ...{ cwd, env: ownEnvironment, stdio: 'ignore' },
      },
    )
    workers[place] = child
    child.once('exit', () => start(place))
  }
  start(0)
  start(1)
  onTestFinished(() => {
    isOver = true
    for (const worker of workers) worker?.kill('SIGKILL')
  })
  return () => workers[0]?.kill('SIGKILL')
}

it('gives no case of another version than the one that was planned', { timeout: 600_000 }, async () => {
  const cwd = folderWith({
    'package.json': '{"type":"module","imports":{"#own/*":"./*"}}',
    'walk.yaml': readFileSync(join(project(), 'walk.yaml'), 'utf8'),
  })
  const fresh: ReadonlyMap<string, string>[] = []
  for (const version of versions.keys()) {
    write(cwd, version)
    const alone = ['--jobs', '1', '--store', `alone-${version}`, '--ndjson', `fresh-${version}`]
    expect((await built([...words, ...alone], cwd)).code).toBe(0)
    fresh.push(readRows(join(cwd, `fresh-${version}`)))
  }
  expect(new Set(fresh.map((rows) => [...rows.values()].join())).size).toBe(versions.length)

  const killOne = keepWorkers(cwd)
  const draws = createStream('edits', 'worker', '', 0)
  const queued = (version: number) => [
    ...words,
    '--queue',
    redis.url,
    '--store',
    `store-${version}`,
    '--json',
  ]
  let came = 0
  const ends: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const version = round % versions.length
    write(cwd, version)
    const store = join(cwd, `store-${version}`)
    const before = readRows(store).size
    const running = built([...queued(version), '--budget', '4s'], cwd)
    const until = Math.min(seeds, before + 5 + draws.integer(20))
    await Promise.race([
      running,
      expect.poll(() => readRows(store).size, { timeout: 30_000 }).toBeGreaterThanOrEqual(until),
    ])
    if (draws.integer(2) === 0) killOne()
    write(cwd, (version + 1 + draws.integer(versions.length - 1)) % versions.length)
    const { code, out } = await running
    const { difference, end } = JSON.parse(out)
    expect({ code, difference }).toEqual({ code: 0, difference: null })
    ends.push(end)
    const rows = readRows(store)
    for (const [id, text] of rows) expect(text).toBe(fresh[version]?.get(id))
    came += rows.size - before
  }
  expect(came).toBeGreaterThan(rounds * 4)
  // The rest of a sweep whose files were edited was refused.
  expect(ends).toContain('budget')

  // Once its files are back, each sweep is finished by the same workers, with the rows that it has.
  for (const version of versions.keys()) {
    write(cwd, version)
    const { code, out } = await built([...queued(version), '--ndjson', `queued-${version}`], cwd)
    expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, ok: true, done: seeds })
    expect(readFileSync(join(cwd, `queued-${version}`), 'utf8')).toBe(
      readFileSync(join(cwd, `fresh-${version}`), 'utf8'),
    )
  }
})
