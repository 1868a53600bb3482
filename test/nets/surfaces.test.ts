import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { BacktestResult } from '../../src/backtest/result.ts'
import { createVenueClient } from '../../src/client/create-venue-client.ts'
import { flattenMetrics } from '../../src/metrics/metrics.ts'
import { figures as scenarioFigures } from '../../src/scenario/predicates/run-figures.ts'
import { otcsim } from '../cli/harness.ts'
import { expectGolden } from './golden-text.ts'

/*
 * What users can name: commands and their options, the scenario language with its faults, the interface, the admin API, the
 * client, the figures, the readings (`exports.test.ts` has the exports). A difference here is a difference to somebody's program; see `golden-text.ts` for how these files are written again.
 */

it('the help of every command', async () => {
  const texts: string[] = []
  const tell = async (command: readonly string[]): Promise<void> => {
    const help = await printed([...command, '--help'])
    texts.push(`$ otcsim ${[...command, '--help'].join(' ')}\n${help}`)
    // The program's own are in groups, each with its heading.
    const below = command.length === 0 ? help : (help.split(/^Commands:$/m)[1] ?? '')
    const listed = below.split(/^(?:Guides|Examples)/m)[0] ?? ''
    const names = [...listed.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name = '']) => name)
    for (const name of names.toSorted()) if (name !== 'help') await tell([...command, name])
  }
  await tell([])
  expect(texts.length).toBeGreaterThan(20)
  await expectGolden('helps.txt', texts.join('\n'))
})

it('the schema of scenarios and its reference', async () => {
  await expectGolden('scenario-schema.json', await printed(['schema', 'scenario']))
  await expectGolden('scenario-reference.md', await printed(['schema', 'scenario', '--markdown']))
})

it('the interface as an OpenAPI document', async () => {
  await expectGolden('openapi.json', await printed(['openapi']))
})

it('the operations of the admin API, with the fields that they take and answer', async () => {
  const { paths }: { readonly paths: { readonly [path: string]: { readonly [method: string]: unknown } } } =
    JSON.parse(await printed(['openapi', '--admin']))
  const lines = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const names = fieldsOf(operation, '')
      return [`${method.toUpperCase()} ${path}`, ...[...new Set(names)].map((name) => `  ${name}`)].join('\n')
    }),
  )
  expect(lines.length).toBeGreaterThan(50)
  await expectGolden('admin.txt', lines.join('\n'))
})

it('the methods of the client', async () => {
  const client = createVenueClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'key', apiSecret: 'secret' })
  const methods = Object.entries(client).flatMap(([group, calls]) =>
    Object.keys(Object(calls)).map((name) => `${group}.${name}`),
  )
  expect(methods.length).toBeGreaterThan(40)
  await expectGolden('client.txt', methods.join('\n'))
})

it('the figures of backtests and of scenarios', async () => {
  const words = ['backtest', 'scenarios/strategies/market-maker.ts', '--to', '10m', '--json']
  const { metrics }: BacktestResult = JSON.parse(await printed(words))
  const figures = [
    ...Object.keys(flattenMetrics(metrics)),
    ...Object.keys(scenarioFigures).map((name) => `scenario ${name}`),
  ]
  expect(figures.length).toBeGreaterThan(100)
  await expectGolden('figures.txt', figures.join('\n'))
})

it('what other readings change in the OpenAPI document', async () => {
  const plain = pathsOf(await openApi([]))
  const known = await readings()
  const lines: string[] = []
  // A document takes a fifth of a second, so all readings change at once: to their first alternative, then to the second.
  for (let place = 0; known.some(({ alternatives }) => alternatives.length > place); place += 1) {
    const words = known.flatMap(({ key, alternatives }) =>
      alternatives[place] === undefined ? [] : ['--readings', `${key}=${alternatives[place]}`],
    )
    const changed = pathsOf(await openApi(words))
    lines.push(words.filter((word) => word !== '--readings').join(' '), ...differencesBetween(plain, changed))
  }
  await expectGolden('openapi-under-readings.txt', lines.join('\n'))
})

it('the readings', async () => {
  await expectGolden('readings.txt', await printed(['readings']))
  await expectGolden('readings.json', await printed(['readings', '--json']))
})

async function printed(words: readonly string[]): Promise<string> {
  const { code, out, err } = await otcsim(words)
  expect({ words, code, err }).toEqual({ words, code: 0, err: '' })
  return out
}

async function openApi(words: readonly string[]): Promise<unknown> {
  const document: unknown = JSON.parse(await printed(['openapi', ...words]))
  return document
}

interface Reading {
  readonly key: string
  readonly alternatives: readonly string[]
}

async function readings(): Promise<readonly Reading[]> {
  const { readings }: { readonly readings: readonly Reading[] } = JSON.parse(
    await printed(['readings', '--json']),
  )
  expect(readings.length).toBeGreaterThan(50)
  return readings
}

/** The names of parameters and of all members of bodies, each with those around it. */
function fieldsOf(part: unknown, path: string): readonly string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]): readonly string[] => {
    if (key === 'example' || key === 'examples') return []
    if (key === 'parameters' && Array.isArray(value))
      return value.map(
        ({ in: place, name }: { readonly in: string; readonly name: string }) => `${place} ${name}`,
      )
    if (key === 'properties')
      return Object.entries(Object(value)).flatMap(([name, member]) => [
        `${path}${name}`,
        ...fieldsOf(member, `${path}${name}.`),
      ])
    return fieldsOf(value, key === 'requestBody' ? '> ' : /^\d{3}$/.test(key) ? `${key} ` : path)
  })
}

/** Every leaf of a document by its path. */
function pathsOf(document: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
      found.set(path, JSON.stringify(value))
    else for (const [key, member] of Object.entries(value)) visit(member, `${path}/${key}`)
  }
  visit(document, '')
  return found
}

/**
 * How many leaves went, came and changed below each of the document's places, and a hash of them all: the whole would be
 * longer than the document.
 */
function differencesBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const counts = new Map<string, { gone: number; come: number; changed: number }>()
  const hash = createHash('sha256')
  for (const path of [...new Set([...before.keys(), ...after.keys()])].toSorted()) {
    if (before.get(path) === after.get(path)) continue
    hash.update(`${path} ${before.get(path)} ${after.get(path)}\n`)
    const place = path.split('/').slice(0, 5).join('/')
    const count = counts.get(place) ?? { gone: 0, come: 0, changed: 0 }
    counts.set(place, count)
    count[!after.has(path) ? 'gone' : before.has(path) ? 'changed' : 'come'] += 1
  }
  const lines = [...counts].map(
    ([place, { gone, come, changed }]) => `  ${place} -${gone} +${come} ~${changed}`,
  )
  return lines.length === 0 ? ['  nothing'] : [...lines, `  ${hash.digest('hex').slice(0, 16)}`]
}
