// Room: cli

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  backtest,
  createVenueClient,
  createWorld,
  loadScenario,
  runLive,
  startVenue,
} from '../../src/index.ts'
import { readPreferredFaults } from '../../src/pipeline/prefer.ts'
import { otcsim } from '../cli/harness.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/*
 * Comparisons treat `[1]`, `true` and `'1'` as 1, and '' and null as 0. Options of the library were compared like that,
 * and `port: [1, 2]` in a configuration file was 2. Now anything but a number is refused with the name of its field.
 */

const call = async (callee: object, name: string, ...given: readonly unknown[]): Promise<unknown> =>
  Reflect.apply(Reflect.get(callee, name), callee, given)

/** `{ clock: { speed: value } }` for `clock.speed`. */
function nested(path: string, value: unknown): object {
  const [name = '', ...rest] = path.split('.')
  return { [name]: rest.length === 0 ? value : nested(rest.join('.'), value) }
}

const noNumbers = [[[1]], [[]], [true], [false], [''], [null], ['1'], ['0x10'], [{}], [Number.NaN]]

const library = { backtest, createVenueClient, createWorld, loadScenario, runLive, startVenue }
const client = { baseUrl: 'http://127.0.0.1:1', apiKey: 'k', apiSecret: 's' }
const live = { baseUrl: 'http://127.0.0.1:1', clock: 'manual', span: '1s' }
const still = {
  name: 'still',
  parameters: { p: { type: 'duration', default: '1s' } },
  onTick: () => undefined,
}
const run = { model: 'constant', to: '10s' }
const candle = { atMillis: 0, spanMillis: 60_000, open: 1, high: 1, low: 1, close: 1, volume: 1 }

describe('in the library', () => {
  type Given = (value: unknown) => readonly unknown[]
  const fields = (callee: string, names: readonly string[], given: (name: string) => Given) =>
    names.map((name): [string, string, Given] => [callee, name, given(name)])
  const numbers = [
    ...fields('startVenue', ['port', 'clock.speed', 'clock.stepMs'], (path) => (value) => [
      nested(path, value),
    ]),
    ...fields(
      'createVenueClient',
      ['afterFailure', 'afterRateLimit', 'firstDelayMillis', 'maximumDelayMillis', 'maximumRateWaitMillis'],
      (name) => (value) => [{ ...client, retries: { [name]: value } }],
    ),
    ...fields('backtest', ['price', 'cash', 'makerBps', 'takerBps'], (name) => (value) => [
      still,
      { ...run, market: { [name]: value } },
    ]),
    ...fields('backtest', ['atMillis', 'spanMillis', 'high', 'low', 'close', 'volume'], (name) => (value) => [
      still,
      { candles: [{ ...candle, [name]: value }] },
    ]),
    ...fields('backtest', ['trials'], () => (value) => [still, { ...run, trials: [value] }]),
  ]
  it.each(numbers)('%s refuses anything but a number as %s', async (callee, field, given) => {
    for (const [value] of noNumbers)
      await expect(call(library, callee, ...given(value)), JSON.stringify(value)).rejects.toThrow(
        field.split('.').at(-1),
      )
  })

  it('createWorld does, too, whose first argument is a scenario', async () => {
    const scenario = await loadScenario('calm')
    for (const [value] of noNumbers) {
      for (const name of ['speed', 'stepMillis'])
        await expect(call(library, 'createWorld', scenario, { clock: { [name]: value } })).rejects.toThrow(
          name,
        )
    }
    await expect(call(createWorld(scenario), 'fork', { clock: { speed: [1] } })).rejects.toThrow('speed')
  })

  it.each([
    ['createVenueClient', 'timeoutMillis', [{ ...client, timeoutMillis: [1] }]],
    ['createVenueClient', 'timeoutMillis', [{ ...client, timeoutMillis: true }]],
    ['createVenueClient', 'signsQuery', [{ ...client, signsQuery: 'no' }]],
    ['createVenueClient', 'retries', [{ ...client, retries: [1] }]],
    ['createVenueClient', 'afterFailures', [{ ...client, retries: { afterFailures: 1 } }]],
    ['loadScenario', 'seed', ['calm', { seed: [7] }]],
    ['loadScenario', 'seed', ['calm', { seed: null }]],
    ['loadScenario', 'params', ['calm', { params: [] }]],
    ['startVenue', 'seed', [{ seed: [7] }]],
    ['startVenue', 'clock', [{ clock: [] }]],
    ['startVenue', 'createdStatus', [{ readings: { createdStatus: [200] } }]],
    ['startVenue', 'options', [[]]],
    ['backtest', 'seed', [still, { ...run, seed: [7] }]],
    ['backtest', 'rateLimits', [still, { ...run, rateLimits: 'no' }]],
    ['backtest', 'client', [still, { ...run, client: 'asinc' }]],
    ['backtest', 'parameter p', [still, { ...run, parameters: { p: [1] } }]],
    ['backtest', 'parameter p', [still, { ...run, parameters: { p: null } }]],
    ['backtest', 'latency', [still, { ...run, latency: { order: 5 } }]],
    ['backtest', 'latency', [still, { ...run, latency: { ordr: '5ms' } }]],
    ['backtest', 'market', [still, { ...run, market: { prise: 5 } }]],
    ['runLive', 'seed', [still, { ...live, seed: [7] }]],
    ['runLive', 'clock', [still, { ...live, clock: 'stepped' }]],
  ])('%s refuses a %s of another kind', async (callee, field, given) => {
    await expect(call(library, callee, ...given)).rejects.toThrow(field)
  })

  it('a numeric seed is converted to text, and a reset without a seed keeps it', async () => {
    const world = createWorld(await loadScenario('calm'), { seed: 7 })
    await call(world, 'reset', 8)
    expect(world.seed).toBe('8')
    await call(world, 'reset')
    expect(world.seed).toBe('8')
    await expect(call(world, 'reset', [9])).rejects.toThrow('seed')
    expect(world.seed).toBe('8')
    const texts = await backtest({ ...still, parameters: {} }, { ...run, seed: '7' })
    expect((await backtest({ ...still, parameters: {} }, { ...run, seed: 7 })).digest).toBe(texts.digest)
  })
})

describe('on the command line', () => {
  const inFile = async (text: string, words: readonly string[]) => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'otcsim.config.yaml'), text)
    return otcsim(words, { cwd })
  }

  it.each([
    ['port: [1]', 'port'],
    ['port: [4010, 4011]', 'port'],
    ['port: {a: 1}', 'port'],
    ['seed: [7]', 'seed'],
    ['scenario: [calm]', 'scenario'],
  ])('%s in the configuration file is no value', async (text, key) => {
    const { code, err } = await inFile(`${text}\n`, ['serve'])
    expect(code).toBe(2)
    expect(err).toContain(`otcsim.config.yaml:1:`)
    expect(err).toContain(`${key}: expected one value`)
  })

  it('a repeatable flag may be a list in the file', async () => {
    const answer = await inFile('param: [vol=0.1, nothing=2]\n', ['validate', 'calm'])
    expect(answer.err).toContain('nothing')
  })

  it.each([
    [['run', 'calm', '--jobs', '0x2'], '256'],
    [['run', 'calm', '--jobs', ' 2 '], '256'],
    [['run', 'calm', '--jobs', '1e1'], '256'],
    [
      ['backtest', 'scenarios/strategies/twap.ts', '--model', 'constant', '--to', '1m', '--cash', '0x10'],
      '--cash',
    ],
    [
      ['backtest', 'scenarios/strategies/twap.ts', '--model', 'constant', '--to', '1m', '--price', ' 5'],
      '--price',
    ],
    [['paths', '--model', 'constant', '--price', '0x10'], '--price'],
  ])('%j', async (words, field) => {
    const { code, err } = await otcsim(words)
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(field) })
  })
})

describe('in a Prefer header', () => {
  it.each([
    ['delay=', 'delay'],
    ['delay=0x10', 'delay'],
    ['code=0x1F4', 'code'],
    ['code=', 'code'],
    ['fault=latency;latencyMs=', 'fault.attributes.latencyMs'],
    ['fault=slicer;averageSize="0x2"', 'fault.attributes.averageSize'],
  ])('%s', (prefer, field) => {
    expect(readPreferredFaults(prefer)).toMatchObject({
      ok: false,
      problem: { field, reason: expect.stringContaining('must be') },
    })
  })
})
