import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openApi } from '../../../src/api/openapi/openapi.ts'
import { resolveReadings } from '../../../src/api/readings/readings.ts'
import { assert } from '../../../src/numeric/assert.ts'

const linter = join(import.meta.dirname, '../../../node_modules/@redocly/cli/bin/cli.js')
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

it.each([
  ['the default readings', {}],
  ['other readings', { envelope: 'wrapped', batchStatus: '422', 'assets.unknown': '404' }],
])('passes a linter that others wrote, under %s', (_name, overrides) => {
  const readings = resolveReadings(overrides)
  assert(readings.ok, 'the readings exist')
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const document = openApi({
    version: '1.2.3',
    servers: ['http://127.0.0.1:4010'],
    readings: readings.value,
  })
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  const { stdout, status } = spawnSync(
    process.execPath,
    [linter, 'lint', '--extends=recommended', '--format=json', 'openapi.json'],
    { cwd: folder, env: { ...process.env, ...quiet }, encoding: 'utf8', timeout: 60_000 },
  )
  expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] })
  expect(status).toBe(0)
})
