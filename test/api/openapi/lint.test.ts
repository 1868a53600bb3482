import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { resolveReadings } from '../../../src/api/readings/readings.ts'
import { assert } from '../../../src/numeric/assert.ts'
import { buildAdminDocument } from '../../../src/server/admin/admin-document.ts'
import { adminRoutes } from '../../../src/server/admin/routes.ts'
import { resolveScenario } from '../../../src/testing/start-venue.ts'
import { createShippedLibrary } from '../../../src/world/shipped/shipped-scenarios.ts'
import { buildVenueDocument } from '../../../src/world/venue-document.ts'
import { createWorld } from '../../../src/world/world.ts'

const linter = join(import.meta.dirname, '../../../node_modules/@redocly/cli/bin/cli.js')
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

const others = { envelope: 'wrapped', batchStatus: '422', 'assets.unknown': '404' }

it.each([
  ['3.1', 'the default readings', {}],
  ['3.1', 'other readings', others],
  ['3.0', 'the default readings', {}],
  ['3.0', 'other readings', others],
] as const)('passes a linter that others wrote, in version %s under %s', (version, _name, overrides) => {
  const readings = resolveReadings(overrides)
  assert(readings.ok, 'the readings exist')
  const scenario = resolveScenario('calm')
  const about = {
    version: '1.2.3',
    url: 'http://127.0.0.1:4010',
    scenario,
    seed: '7',
    readings: readings.value,
  }
  expectClean(buildVenueDocument(about, version))
})

it.each(['3.1', '3.0'] as const)('passes it with the admin API, in version %s', async (version) => {
  const facts = { version: '1.2.3', startedAtMillis: 0, readings: {}, url: () => 'http://127.0.0.1:4010' }
  const server = { ...facts, scenarios: createShippedLibrary(), shutdown: () => undefined }
  expectClean(await buildAdminDocument(adminRoutes, createWorld(resolveScenario('calm')), server, version))
})

function expectClean(document: object): void {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  const { stdout, status } = spawnSync(
    process.execPath,
    [linter, 'lint', '--extends=recommended', '--format=json', 'openapi.json'],
    { cwd: folder, env: { ...process.env, ...quiet }, encoding: 'utf8', timeout: 60_000 },
  )
  expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] })
  expect(status).toBe(0)
}
