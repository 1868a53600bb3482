import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { project } from './built-command.ts'
import { otcsim } from './harness.ts'

type Env = { readonly [name: string]: string }

const backtest = ['backtest', 'holder.mjs', '--to', '1m']

/** A project whose configuration file sets these options. */
function configured(text: string): string {
  const cwd = project()
  writeFileSync(join(cwd, 'otcsim.config.yaml'), text)
  return cwd
}

describe('a flag beats settings that exclude it', () => {
  it.each([
    ['a variable', { OTCSIM_SCENARIO: 'walk.yaml' }, ''],
    ['the file that init writes', {}, 'scenario: walk.yaml\nport: 4010\n'],
    ['both', { OTCSIM_DATA: 'none.csv' }, 'scenario: walk.yaml\n'],
  ])('of %s', async (_, env, config) => {
    const ended = await otcsim([...backtest, '--model', 'gbm', '--json'], { cwd: configured(config), env })
    expect(ended).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(ended.out).source).toMatchObject({ kind: 'model', name: 'gbm' })
  })

  it('in plans of sweeps', async () => {
    const words = ['sweep', 'plan', 'holder.mjs', '--seeds', '1', '--model', 'gbm', '--to', '1m']
    const ended = await otcsim(words, { cwd: configured('scenario: walk.yaml\n') })
    expect(ended).toMatchObject({ code: 0, err: '' })
    expect(ended.out).toContain('gbm')
    expect(ended.out).not.toContain('walk.yaml')
  })

  it('where the flag names an account and the settings a key', async () => {
    const env = { OTCSIM_KEY: 'k', OTCSIM_SECRET: 's' }
    const bySettings = await otcsim(['sign', '/orders'], { env })
    expect(bySettings.out).toContain('X-API-Key: k\n')
    const byFlag = await otcsim(['sign', '/orders', '--account', 'maker'], { env })
    expect(byFlag.out).toContain('X-API-Key: simk_default_maker\n')
  })

  it('where the scenario is an argument', async () => {
    const words = ['paths', 'walk.yaml', '--seeds', '1', '--html', 'p.html']
    const ended = await otcsim(words, { cwd: project(), env: { OTCSIM_MODEL: 'gbm' } })
    expect(ended.code).toBe(0)
  })
})

it('a variable beats the configuration file, whose option excludes its own', async () => {
  const cwd = configured('model: gbm\n')
  const ended = await otcsim([...backtest, '--json'], { cwd, env: { OTCSIM_SCENARIO: 'walk.yaml' } })
  expect(JSON.parse(ended.out).source).toMatchObject({ kind: 'scenario', name: 'walk' })
})

describe('a conflict', () => {
  it.each([
    [
      'of two flags names both',
      ['--model', 'gbm', '--scenario', 'walk.yaml'],
      {},
      '',
      'give one of --scenario, --data, --book and --model\n',
    ],
    [
      'of two variables names both',
      [],
      { OTCSIM_MODEL: 'gbm', OTCSIM_SCENARIO: 'walk.yaml' },
      '',
      'give one of --scenario, --data, --book and --model; OTCSIM_SCENARIO and OTCSIM_MODEL are set\n',
    ],
    [
      'in the configuration file names its lines',
      [],
      {},
      'scenario: walk.yaml\nmodel: gbm\n',
      'give one of --scenario, --data, --book and --model; otcsim.config.yaml:1:11 scenario and otcsim.config.yaml:2:8 model are set\n',
    ],
    [
      'of a flag and a setting under which it would do nothing names the setting',
      ['--param', 'vol=1'],
      { OTCSIM_MODEL: 'gbm' },
      '',
      '--param does not go with --model, which OTCSIM_MODEL sets: --set gives parameters of the strategy\n',
    ],
  ])('%s', async (_, words, env, config, err) => {
    const cwd = configured(config)
    expect(await otcsim([...backtest, ...words], { cwd, env })).toEqual({ code: 2, out: '', err })
  })
})

describe('a flag that turns something off', () => {
  const show = async (env: Env, config: string) => {
    const ended = await otcsim(['doctor', '--json'], { cwd: configured(config), env })
    const { commands, problems } = JSON.parse(ended.out)
    const show = commands.find(({ command }: { command: string }) => command === 'show')
    const { source, value } = show.settings.find(({ option }: { option: string }) => option === '--no-open')
    return { value, source, problems }
  }

  it.each([
    ['is off by default', {}, '', false, 'default'],
    ['is on by its variable', { OTCSIM_NO_OPEN: 'true' }, '', true, 'OTCSIM_NO_OPEN'],
    ['is on by its variable of 1', { OTCSIM_NO_OPEN: '1' }, '', true, 'OTCSIM_NO_OPEN'],
    ['is off by its variable', { OTCSIM_NO_OPEN: 'false' }, '', false, 'OTCSIM_NO_OPEN'],
    ['is on by the file', {}, 'open: false\n', true, 'otcsim.config.yaml'],
    ['is off by the file', {}, 'open: true\n', false, 'otcsim.config.yaml'],
    [
      'is off by a variable beside the file',
      { OTCSIM_NO_OPEN: 'no' },
      'open: false\n',
      false,
      'OTCSIM_NO_OPEN',
    ],
  ])('%s', async (_, env, config, value, source) => {
    expect(await show(env, config)).toEqual({ value, source, problems: [] })
  })

  it.each([
    ['OTCSIM_NO_OPEN', { OTCSIM_NO_OPEN: 'never' }, ''],
    ['otcsim.config.yaml:1:7 open', {}, 'open: never\n'],
  ])('takes no other word in %s', async (where, env, config) => {
    expect((await show(env, config)).problems).toEqual([`${where}: expected true or false`])
  })

  it('has its effect by a variable and by the file', async () => {
    const candles = Array.from(
      { length: 12_000 },
      (_, row) => `${1767225600000 + row * 60_000},100,102,99,101,3`,
    )
    const rows = ['time,open,high,low,close,volume', ...candles].join('\n')
    const run = async (env: Env, config: string) => {
      const cwd = configured(config)
      writeFileSync(join(cwd, 'candles.csv'), rows)
      const words = ['backtest', 'holder.mjs', '--data', 'candles.csv', '--to', '1m', '--json']
      expect(await otcsim(words, { cwd, env })).toMatchObject({ code: 0 })
      return existsSync(join(cwd, '.otcsim/recordings'))
    }
    expect(await run({}, '')).toBe(true)
    expect(await run({ OTCSIM_NO_CACHE: 'true' }, '')).toBe(false)
    expect(await run({}, 'cache: false\n')).toBe(false)
  })
})

describe('a former name of an option', () => {
  const paths = ['paths', 'walk.yaml', '--seeds', '1', '--span', '1h']

  it('works, and says the present one', async () => {
    const cwd = project()
    const ended = await otcsim([...paths, '--out', 'p.html'], { cwd })
    expect(ended.err).toMatch(
      /^--out is called --html now; the former name still works\nwrote p\.html \(\d+ KB\)\n$/,
    )
    const run = await otcsim(['run', 'walk.yaml', '--allow-no-expectations'], {
      cwd,
      env: { OTCSIM_REPORT: 'r.html' },
    })
    expect(run.err).toContain('--report is called --html now')
    expect(existsSync(join(cwd, 'r.html'))).toBe(true)
  })

  it('is refused beside the present one', async () => {
    const ended = await otcsim([...paths, '--out', 'p.html', '--html', 'q.html'], { cwd: project() })
    expect(ended).toMatchObject({ code: 2, err: 'give --html or --out, its former name, but not both\n' })
  })

  it('is in no help and no completion', async () => {
    const [help, completion] = await Promise.all([otcsim(['run', '--help']), otcsim(['completion', 'bash'])])
    expect([help.code, completion.code]).toEqual([0, 0])
    expect(help.out).not.toContain('--report ')
    expect(completion.out).not.toContain('--report ')
  })
})

describe('a request by curl and sign', () => {
  it.each([
    [['/orders'], 'GET'],
    [['/orders', '-d', '{}'], 'POST'],
    [['patch', '/orders'], 'PATCH'],
  ])('%j is sent by %s', async (words, method) => {
    const ended = await otcsim(['curl', ...words, '--print-curl', '--key', 'k', '--secret', 's'])
    expect(ended.out).toContain(`curl -X ${method} 'http://127.0.0.1:4010/api/sdk/orders'`)
  })

  it('says that a path is missing', async () => {
    const ended = await otcsim(['curl', 'get'])
    expect(ended).toEqual({
      code: 2,
      out: '',
      err: '"get" is no path; give one, such as GET /market-data/prices\n',
    })
  })
})
