import { reasonAndHint } from '../api/input-problem.ts'
import { openApiVersions } from '../api/openapi/openapi-30.ts'
import { oneOfTexts, withFlag } from '../api/options.ts'
import { findPreset, presetEntries, readingEntries } from '../api/readings/readings.ts'
import { buildAdminDocument } from '../server/admin/admin-document.ts'
import { adminRoutes } from '../server/admin/routes.ts'
import { createShippedLibrary } from '../world/shipped/shipped-scenarios.ts'
import { buildVenueDocument } from '../world/venue-document.ts'
import { createWorld } from '../world/world.ts'
import { resolveScenarioReadings } from '../world/world-options.ts'
import { defineCommand } from './define-command.ts'
import { dataFailure, usageFailure } from './failure.ts'
import {
  aFlag,
  aSwitch,
  configFlag,
  defaultAddress,
  type FlagsOf,
  gatherReadings,
  parseAddress,
  parsedFlag,
  resolveChosenReadings,
} from './flags.ts'
import { jsonText } from './terminal.ts'
import { version } from './version.ts'

const openApiFlags = {
  openapi: withFlag(
    oneOfTexts(...openApiVersions),
    '<version>',
    'the version of OpenAPI; 3.0 for tools that do not know 3.1',
    { default: '3.1' },
  ),
  url: parsedFlag(parseAddress, '<address>', 'the server that the document names', {
    default: defaultAddress,
  }),
  readings: parsedFlag(
    gatherReadings,
    '<key=value>',
    'how to read an open point of the specification; several comma-separated, or repeated',
  ),
  config: configFlag,
  admin: aSwitch('the admin API instead of the venue'),
}

type OpenApiOptions = FlagsOf<typeof openApiFlags>

/**
 * `otcsim openapi` prints the interface as an OpenAPI document. It needs no server: it makes a world for the examples.
 */
export const openApiCommand = defineCommand({
  flags: openApiFlags,
  act: async (options, terminal) => terminal.out(jsonText(await buildDocument(options))),
})

async function buildDocument({ openapi, url, readings: given, admin }: OpenApiOptions): Promise<object> {
  const scenarios = createShippedLibrary()
  const loaded = scenarios.load(defaultScenario)
  if (loaded?.ok !== true) throw dataFailure(`the scenario ${defaultScenario} is missing`)
  const scenario = loaded.value
  const readings = resolveChosenReadings(given, resolveScenarioReadings(scenario))
  if (admin === true) {
    const server = {
      version,
      scenarios,
      readings: {},
      startedAtMillis: 0,
      url: () => url,
      shutdown: () => {},
    }
    return buildAdminDocument(adminRoutes, createWorld(scenario, { readings }), server, openapi)
  }
  return buildVenueDocument({ version, url, scenario, seed: scenario.venue.seed, readings }, openapi)
}

/** The scenario that `otcsim serve` runs by default. */
const defaultScenario = 'calm'

export const readingsCommand = defineCommand({
  flags: {
    preset: aFlag('<name>', 'a named set of readings instead, with the evidence for each'),
    json: aSwitch('as JSON, with the place in the specification and the reason'),
  },
  act: ({ preset, json = false }, terminal) =>
    terminal.out(preset === undefined ? formatReadings(json) : formatPreset(preset, json)),
})

function formatReadings(isJson: boolean): string {
  if (isJson) return jsonText({ readings: readingEntries, presets: presetEntries })
  const width = Math.max(...readingEntries.map(({ key }) => key.length))
  const lines = readingEntries.map(
    ({ key, default: byDefault, alternatives, why }) =>
      `${key.padEnd(width)}  ${byDefault} | ${alternatives.join(' | ')}\n${' '.repeat(width + 2)}${why}\n`,
  )
  const names = presetEntries.map(({ name }) => `@${name}`).join(', ')
  return `${lines.join('')}\nsets of readings, listed by --preset: ${names}\n`
}

function formatPreset(name: string, isJson: boolean): string {
  const found = findPreset(name)
  if (!found.ok) throw usageFailure(`--preset: ${reasonAndHint(found.problem)}`)
  const { about, source, readings } = found.value
  if (isJson) return jsonText(found.value)
  const width = Math.max(...readings.map(({ key, value }) => `${key}=${value}`.length))
  const lines = readings.map(
    ({ key, value, evidence }) => `${`${key}=${value}`.padEnd(width)}  ${evidence}\n`,
  )
  return `${about} Shown by ${source}:\n\n${lines.join('')}`
}
