import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inWorld } from '../../src/testing/in-world.ts'
import { createWorld, startVenue } from '../../src/testing/start-venue.ts'
import {
  findServerToJoin,
  formatTestSettings,
  readTestSettings,
  readWorldUses,
} from '../../src/testing/test-settings.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { quietScenario } from '../world/scenarios.ts'

const nothing = { readings: {}, faults: [], seed: null, scenario: null, params: {} }
const faults = [{ type: 'http_error', attributes: { status: 503 }, match: { method: 'GET' } }]
const asked = { readings: { envelope: 'wrapped' }, faults, seed: '99', scenario: 'thin-book', params: {} }

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'otcsim-settings-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

function ask(settings: typeof asked): void {
  for (const [name, value] of Object.entries(formatTestSettings(settings))) vi.stubEnv(name, value)
  vi.stubEnv('OTC_EVIDENCE_FILE', join(folder, 'uses'))
}

describe('what is asked of the worlds of tests', () => {
  it.each([nothing, asked])('is read as it was written: %j', (settings) => {
    expect(readTestSettings(formatTestSettings(settings))).toEqual(settings)
    expect(readTestSettings({})).toEqual(nothing)
  })

  it.each(['OTC_READINGS', 'OTC_FAULTS', 'OTC_PARAMS'])(
    'is refused when %s is not what it should be',
    (name) => {
      expect(() => readTestSettings({ [name]: '{"a' })).toThrow(`${name} must be JSON`)
      expect(() => readTestSettings({ [name]: '7' })).toThrow(`${name} must be`)
    },
  )

  it('is refused when parameters belong to no scenario', async () => {
    vi.stubEnv('OTC_PARAMS', '{"spread":"2"}')
    await expect(startVenue()).rejects.toThrow('OTC_PARAMS has spread, a parameter of a scenario, but')
    await using venue = await startVenue({ scenario: 'thin-book' })
    expect(venue.world.id).toBe('default')
  })

  it('holds in every world that a test makes, and each says what has become of it', async () => {
    ask(asked)
    await using venue = await startVenue()
    const made = [
      venue.world,
      venue.createWorld(),
      createWorld(compiledScenario(quietScenario)),
      await inWorld('asked', ({ world }) => ({ seed: world.seed, ...readFacts(world.world) })),
    ]
    for (const world of made) {
      expect(world.seed).toBe('99')
      const { readings, rules } =
        'world' in world ? readFacts(world.world) : 'rules' in world ? world : readFacts(world)
      expect(readings).toMatchObject({ envelope: 'wrapped' })
      expect(rules).toEqual(['http_error'])
    }
    expect(venue.world.world.scenario.name).toBe('thin-book')
    const other = venue.createWorld({ scenario: quietScenario, seed: '3', readings: { envelope: 'bare' } })
    expect(other.world.scenario.name).toBe('quiet')
    expect(other.seed).toBe('3')
    expect(other.world.readings.envelope).toBe('wrapped')
    await expect(other.client().orders.list()).rejects.toMatchObject({ statusCode: 503 })
    other.delete()
    const uses = readWorldUses(join(folder, 'uses'))
    // What was asked was answered by the fault alone, so no request has come as far as the envelope.
    const use = uses.at(-1)
    expect(use).toMatchObject({
      requests: expect.any(Number),
      settings: expect.not.arrayContaining(['envelope=wrapped']),
    })
    expect(use?.requests).toBeGreaterThan(0)
    expect(use?.strikes).toBe(use?.requests)
  })
})

function readFacts({ readings, faults: book }: Pick<ReturnType<typeof createWorld>, 'readings' | 'faults'>) {
  return { readings, rules: book.rules.map(({ rule }) => rule.type) }
}

describe('a running server that the environment names', () => {
  it.each([
    ['is joined', { OTC_ADMIN_URL: 'http://x/__admin' }, 'http://x/__admin'],
    ['is not there', {}, null],
    ['is that of exec or matrix', { OTC_ADMIN_URL: 'http://x/__admin', OTC_EVIDENCE_FILE: 'uses' }, null],
  ])('%s', (_name, env, url) => {
    expect(findServerToJoin(env)).toBe(url)
  })
})
