import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RedisServer, startRedis } from '../backtest/sweep/redis.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { built, project, startBuilt, waitingProject } from './built-command.ts'
import { otcsim } from './harness.ts'

/*
 * Workers of a queue on a real Redis server, as processes of the built command.
 * @module-tag redis-server
 */

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

/** 4 cells with 8 seeds. */
const words = [
  ...['sweep', 'holder.mjs', '--scenario', 'walk.yaml', '--seeds', '1..8'],
  ...['--set', 'size=0.5,1', '--param', 'vol=0.4,1.2'],
]

it('gives the same bytes as one thread with two workers in other folders, one of them killed halfway', async () => {
  const cwd = waitingProject()
  const alone = built([...words, '--jobs', '1', '--store', 'alone', '--ndjson', 'alone.ndjson'], cwd)
  const worker = ['worker', '--queue', redis.url, '--jobs', '1', '--take-over-after', '1s']
  const folder = waitingProject()
  writeFileSync(join(folder, 'hold'), '12')
  const doomed = startBuilt(worker, folder)
  const queued = built(
    [...words, '--queue', redis.url, '--store', 'queued', '--ndjson', 'queued.ndjson', '--json'],
    cwd,
  )
  await expect.poll(() => existsSync(join(folder, 'holding'))).toBe(true)
  doomed.kill('SIGKILL')
  startBuilt(worker, waitingProject())
  const ended = await queued
  expect(ended.code).toBe(0)
  expect(JSON.parse(ended.out)).toMatchObject({ ok: true, cases: 32, done: 32 })
  expect((await alone).code).toBe(0)
  expect(readFileSync(join(cwd, 'queued.ndjson'))).toEqual(readFileSync(join(cwd, 'alone.ndjson')))
})

it('runs a strategy as it now is, though its file, its import and its weights were edited while it lived', async () => {
  const cwd = temporaryFolder()
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text)
  write('package.json', '{"type":"module","imports":{"#own/*":"./*"}}')
  write('walk.yaml', readFileSync(join(project(), 'walk.yaml'), 'utf8'))
  const strategy = (size: number) => `import { readFileSync } from 'node:fs'
    import { size } from '#own/size.mjs'
    const { weight } = JSON.parse(readFileSync(new URL('./weight.json', import.meta.url), 'utf8'))
    export default { name: 'edited', onTick({ sync }, { index }) {
      if (index === 1) sync.orders.create({ side: 'buy', asset: 'BTC', quantity: ${size} * size * weight * Number(process.env.EDITED_SIZE ?? 1), orderType: 'market' })
    } }`
  write('s.mjs', strategy(0.1))
  write('size.mjs', 'export const size = 1')
  write('weight.json', '{"weight":1}')
  startBuilt(['worker', '--queue', redis.url, '--jobs', '1', '--queue-name', 'edited'], cwd)
  const sweep = async (...how: readonly string[]) => {
    const words = [
      'sweep',
      's.mjs',
      '--scenario',
      'walk.yaml',
      '--to',
      '10m',
      '--seeds',
      '1..2',
      '--json',
      '--fresh',
    ]
    const { code, out } = await built([...words, ...how], cwd)
    expect(code).toBe(0)
    return JSON.parse(out).digest
  }
  const digests = new Set<string>()
  for (const edit of [
    () => {},
    () => write('s.mjs', strategy(0.2)),
    () => write('size.mjs', 'export const size = 2'),
    () => write('weight.json', '{"weight":2}'),
  ]) {
    edit()
    const [queued, fresh] = [
      await sweep('--queue', redis.url, '--queue-name', 'edited'),
      await sweep('--jobs', '1'),
    ]
    expect(queued).toBe(fresh)
    digests.add(fresh)
  }
  expect(digests.size).toBe(4)
})

it('refuses work for which it has no files, and leaves it to others', async () => {
  const cwd = project()
  const few = ['sweep', 'holder.mjs', '--scenario', 'walk.yaml', '--seeds', '1..3', '--queue', redis.url]
  const name = ['--queue-name', 'elsewhere']
  const waiting = built([...few, ...name, '--json'], cwd)
  const worker = ['worker', '--queue', redis.url, '--jobs', '1', ...name]
  const stranger = await built(worker, temporaryFolder())
  expect(stranger).toMatchObject({ code: 5, out: '' })
  expect(stranger.err).toContain('cannot work for this sweep: cannot read holder.mjs: there is no such file')
  const [own, summary] = await Promise.all([built([...worker, '--idle', '1s'], project()), waiting])
  expect(own).toMatchObject({ code: 0, err: expect.stringMatching(/\n3 cases done\n$/) })
  expect(JSON.parse(summary.out)).toMatchObject({ ok: true, done: 3 })
})

it('refuses a strategy outside of its own folder', async () => {
  const cwd = project()
  const outside = join(project(), 'holder.mjs')
  const name = ['--queue-name', 'outside']
  startBuilt(
    ['sweep', outside, '--scenario', 'walk.yaml', '--seeds', '1', '--queue', redis.url, ...name],
    cwd,
  )
  const worker = await built(['worker', '--queue', redis.url, '--jobs', '1', ...name], cwd)
  expect(worker.code).toBe(5)
  expect(worker.err).toContain('is not below the folder that this worker was started in')
})

it('needs a queue', async () => {
  expect(await otcsim(['worker'])).toMatchObject({
    code: 2,
    out: '',
    err: 'a worker needs a queue: --queue redis://...\n',
  })
  const unreachable = await otcsim(['worker'], { env: { OTCSIM_QUEUE: 'redis://127.0.0.1:1' } })
  expect(unreachable).toMatchObject({
    code: 4,
    err: expect.stringContaining('cannot reach redis://127.0.0.1:1'),
  })
})
