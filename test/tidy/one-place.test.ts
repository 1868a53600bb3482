import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/*
 * What is told once is added in one place. In a copy of the sources an action of scenarios is added as a row, and a
 * price model as a file with its row; schema, reference, editor's schema, types, messages and journal follow. So are a
 * read-out, a figure of a run and of a backtest, a risk limit, a reading and a fault, a row each, an agent, a file and its row, and an
 * operation: a row, and the handler of its name.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
let scratch = ''
let found: Found

interface Found {
  readonly schema: { readonly ring: object; readonly drum: object }
  readonly editor: string
  readonly reference: string
  readonly told: readonly string[]
  readonly events: string
  readonly journal: string
  readonly isReplayed: boolean
  readonly operation: {
    readonly answers: readonly unknown[]
    readonly asked: unknown
    readonly refused: unknown
    readonly documented: unknown
  }
  readonly reading: {
    readonly entry: unknown
    readonly cells: readonly string[]
    readonly documented: string
  }
  readonly limit: {
    readonly schema: unknown
    readonly shown: unknown
    readonly refused: { readonly status: number; readonly body: unknown }
    readonly listed: unknown
    readonly isDocumented: boolean
  }
  readonly fault: { readonly answer: unknown; readonly takes: readonly string[] }
  readonly metric: {
    readonly computed: unknown
    readonly flat: unknown
    readonly text: string
    readonly lines: unknown
    readonly direction: number
  }
}

const action = `
const ringShape = record(
  {
    times: integer(1, 9, 'How often the bell rings.'),
    forMillis: orNone(part('positiveSpan', 'How long it can be heard.', 'for')),
  },
  'Rings a bell.',
)

const ring: ActionKind<RecordOf<typeof ringShape>> = {
  shape: ringShape,
  begin: ({ times, forMillis = 0 }) => ({ commands: [], problem: forMillis > 1000 * times ? 'too-long' : null }),
}

export const worldActions = { ring,`

const model = `import { kind, number, type RecordOf, record } from '../../shape/shape.ts'
import { defineModel } from './model-definition.ts'

const shape = record({ kind: kind('drum'), beat: number(0, 2, 'How hard it beats.', { default: 1 }) }, 'Beats.')

export const drum = defineModel<RecordOf<typeof shape>>({
  shape,
  path: (price) => ({
    fillPrices: (_minute, lattice, prices) => {
      prices.fill(price, 0, lattice.count)
    },
  }),
})
`

const agent = `import { millis } from '../../numeric/units.ts'
import { number, record } from '../../shape/shape.ts'
import { defineAgent } from './behaviour.ts'

export const sleeper = defineAgent({
  shape: record({ depth: number(0, 7, 'How deep it sleeps.', { default: 3 }) }, 'Sleeps.'),
  initial: () => ({ dreams: 0 }),
  begin: () => Number.POSITIVE_INFINITY,
  act: () => millis(0),
})
`

const operationRow = `
export const risk = {
  heat: operation({
    id: 'getHeat',
    method: 'GET',
    path: '/api/sdk/risk/heat',
    query: object({ since: describe(common.count(0, 9), 'days') }),
    response: object({ degrees: describe(common.number, 'how hot it is') }),
    summary: 'Get the heat of the market',
  }),`

const handler = `
export const getHeat: Handler<'getHeat'> = ({ readings }, { query }) =>
  answer({ degrees: (readings['heat.unit'] === 'kelvin' ? 280 : 7) + query.since })

/** Spec: risk/metrics. */`

const reading = `
export const readingsTable = {
  'heat.unit': {
    default: 'celsius',
    alternatives: ['kelvin'],
    silent: 'Endpoints, Heat: the unit',
    why: 'People feel it.',
  },`

const limit = `
export const limitKinds = {
  maxLiveOrders: kind('count', 'Maximum number of live things.', 'most live things', 2, 'open orders'),`

const fault = `
export const faultTypes = {
  teapot: kind('answer', ['retryAfter'], [], {
    answer: ({ retryAfter }) => ({ status: 418, body: { tea: true }, retryAfter }),
  }),`

const figure = `
export const figures: { readonly [name: string]: Figure } = {
  halves: {
    description: 'Half of the fills, and seven.',
    compute: (state, account) => listFills(state, account).length / 2 + 7,
  },`

const metric = `
export const trips = {
  oddness: row.smallFigure('usd', ({ all }) => ratio(all.length + 7, 2, 'never'), 'Oddness of trips'),`

const probe = `
import { metricLines, metricText } from './src/backtest/report/figures.ts'
import { towardsBetter } from './src/backtest/sweep/summary.ts'
import { computeMetrics, flattenMetrics } from './src/metrics/metrics.ts'
import { faultTypes } from './src/api/faults/fault-types.ts'
import { openApi } from './src/api/openapi/openapi.ts'
import { readingEntries } from './src/api/readings/readings.ts'
import { listSingleCells } from './src/cli/matrix/matrix-cells.ts'
import { loadScenarioValue } from './src/scenario/load-tree.ts'
import { scenarioReference } from './src/scenario/compile/reference.ts'
import { editorSchema, scenarioSchema } from './src/scenario/compile/schema.ts'
import { linesOfBytes } from './src/journal/lines.ts'
import { scheduleActions } from './src/world/change-world.ts'
import { startMemoryJournal } from './src/world/journals/journal.ts'
import { replayJournal } from './src/world/journals/replay.ts'
import { createWorld } from './src/world/world.ts'

const scenario = (timeline, model) => ({
  version: 1, name: 'bells', clock: { start: '2026-01-05T00:00:00Z', end: '1h', mode: 'manual' },
  market: { flow: { kind: 'none' }, assets: { BTC: { price: 50_000, model, liquidity: { kind: 'none' } } } }, timeline,
})
const told = [
  scenario([{ at: '+1s', ring: { times: 10 } }], { kind: 'drum' }),
  scenario([{ at: '+1s', rnig: { times: 1 } }], { kind: 'drum' }),
  scenario([], { kind: 'drum', beat: 3 }),
  { ...scenario([], { kind: 'drum' }), agents: [{ kind: 'sleeper', id: 's', account: 'desk', asset: 'BTC', params: { depth: 8 } }] },
  scenario([{ when: 'price.BTC.doubl > 1', note: 'x' }], { kind: 'drum' }),
  { ...scenario([], { kind: 'drum' }), readings: { 'heat.unit': 'kelvni' } },
  scenario([{ fault: { type: 'teapo' } }], { kind: 'drum' }),
  { ...scenario([], { kind: 'drum' }), accounts: [{ id: 'a', limits: { maxLiveOrder: 1 } }] },
  { ...scenario([], { kind: 'drum' }), report: { metrics: ['halvs'] } },
].flatMap((value) => {
  const loaded = loadScenarioValue(value)
  return loaded.ok ? [] : loaded.problems.map(({ path, reason, nearest }) => path + ': ' + reason + (nearest === null ? '' : ' -> ' + nearest))
})
const loaded = loadScenarioValue({
  ...scenario([{ when: 'price.BTC.double > 99999', id: 'doubled', note: 'so much' }, { when: 'metrics[desk].halves > 6', id: 'halved', note: 'as much' }], { kind: 'drum' }),
  agents: [{ kind: 'sleeper', id: 's', account: 'desk', asset: 'BTC' }],
})
if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
const world = createWorld(loaded.value)
const journal = startMemoryJournal(world, { otcsim: 'test', start: null })
const events = []
scheduleActions(world, [
  { ring: { times: 2, for: '5s' } },
  { limits: { account: 'trader', set: { maxLiveOrders: 1 } } },
])
world.advance(2000)
const text = [...journal.text()].join('')
const replay = replayJournal(linesOfBytes(Buffer.from(text)))
const buyer = createWorld(loaded.value)
scheduleActions(buyer, [{ limits: { account: 'trader', set: { maxLiveOrders: 1 } } }])
const buy = () => buyer.request('trader', 'POST', '/api/sdk/orders', { side: 'buy', asset: 'BTC', quantity: 0.1, price: 40_000 })
buy()
const heat = (settings, target = '/api/sdk/risk/heat?since=3') => createWorld(loaded.value, settings).request('viewer', 'GET', target)
const struck = createWorld(loaded.value)
scheduleActions(struck, [{ fault: { type: 'teapot', count: 1, attributes: { retryAfter: 5 } } }])
const about = openApi({ version: '1', servers: [], readings: struck.readings })
const kelvin = createWorld(loaded.value, { readings: { ...struck.readings, 'heat.unit': 'kelvin' } })
const metrics = computeMetrics({
  grid: { stepMillis: 1000, atMillis: [0, 1000], equity: [1, 1], flow: [0, 0], cash: [1, 1], assets: [] },
  fills: [], orders: [], quotes: [], transfers: [], trials: [], quoting: null, cancels: 0, requests: 0, rateLimited: 0, seed: '1',
})
const item = scenarioSchema.properties.timeline.items.properties.ring
const models = scenarioSchema.properties.market.properties.assets.additionalProperties.properties.model.oneOf
console.log(JSON.stringify({
  schema: { ring: item, drum: models.find(({ properties }) => properties.kind.const === 'drum') },
  editor: JSON.stringify(editorSchema()),
  reference: scenarioReference(),
  told,
  events: JSON.stringify(world.events.since(0)),
  journal: text,
  isReplayed: replay.kind === 'done' && replay.world.digest() === world.digest(),
  limit: {
    schema: scenarioSchema.definitions.limits.properties.maxLiveOrders,
    shown: world.request('desk', 'GET', '/api/sdk/risk/limits').body.limits.maxLiveOrders,
    refused: buy(),
    listed: (await buyer.client('trader').risk.limits()).limits.maxLiveOrders,
    isDocumented: JSON.stringify(about.components).includes('most live things'),
  },
  metric: {
    computed: metrics.trips.oddness,
    flat: flattenMetrics(metrics)['trips.oddness'],
    text: metricText('trips.oddness', 3.5),
    lines: metricLines('trips', metrics.trips),
    direction: towardsBetter('trips.oddness'),
  },
  fault: { answer: struck.request('viewer', 'GET', '/api/sdk/risk/limits'), takes: faultTypes.teapot.takes },
  operation: {
    answers: [heat({}), kelvin.request('viewer', 'GET', '/api/sdk/risk/heat?since=3')],
    asked: await world.client('viewer').risk.heat({ since: 1 }),
    refused: heat({}, '/api/sdk/risk/heat?since=99').body.details,
    documented: about.paths['/api/sdk/risk/heat'].get,
  },
  reading: {
    entry: readingEntries.find(({ key }) => key === 'heat.unit'),
    cells: listSingleCells(['heat.unit'], struck.readings).map(({ name }) => name),
    documented: about['x-readings']['heat.unit'],
  },
}))
`

function change(path: string, before: string, after: string): void {
  const file = join(scratch, path)
  const text = readFileSync(file, 'utf8')
  expect(text.split(before)).toHaveLength(2)
  writeFileSync(file, text.replace(before, after))
}

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'otcsim-one-place-'))
  cpSync(join(root, 'src'), join(scratch, 'src'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'), 'dir')
  writeFileSync(join(scratch, 'package.json'), '{"type":"module"}')
  change('src/scenario/actions/world.ts', '\nexport const worldActions = {', action)
  writeFileSync(join(scratch, 'src/market/models/drum.ts'), model)
  const rows = 'src/market/models/price-models.ts'
  change(
    rows,
    '\nexport const priceModels = {',
    "\nimport { drum } from './drum.ts'\n\nexport const priceModels = {\n  drum,",
  )
  writeFileSync(join(scratch, 'src/scenario/agents/sleeper.ts'), agent)
  change('src/scenario/agents/agent-kinds.ts', '= {\n  noise,', '= {\n  sleeper,\n  noise,')
  change(
    'src/scenario/agents/agent-kinds.ts',
    "import { script } from './script.ts'\n",
    "import { script } from './script.ts'\nimport { sleeper } from './sleeper.ts'\n",
  )
  change(
    'src/scenario/predicates/trading-fields.ts',
    '\nexport const priceFields: ReadoutFields<OfAsset> = {',
    '\nexport const priceFields: ReadoutFields<OfAsset> = {\n  double: numberField((state, asset) => ticksToValue(state, asset, 2 * state.markTicks.get(asset))),',
  )
  change(
    'src/scenario/predicates/run-figures.ts',
    '\nexport const figures: { readonly [name: string]: Figure } = {',
    figure,
  )
  change('src/metrics/trip-metrics.ts', '\nexport const trips = {', metric)
  change('src/api/operations/risk.ts', '\nexport const risk = {', operationRow)
  change(
    'src/api/handlers/risk.ts',
    '\n/** Returns the risk metrics of the account (Spec: risk/metrics). */',
    handler,
  )
  change('src/api/readings/readings-table.ts', '\nexport const readingsTable = {', reading)
  change('src/engine/limits.ts', '\nexport const limitKinds = {', limit)
  change('src/api/faults/fault-types.ts', '\nexport const faultTypes = {', fault)
  writeFileSync(join(scratch, 'probe.ts'), probe)
  const loader = pathToFileURL(join(root, 'node_modules/tsx/dist/loader.mjs')).href
  const printed = execFileSync(process.execPath, ['--import', loader, 'probe.ts'], {
    cwd: scratch,
    maxBuffer: 1e8,
  })
  found = JSON.parse(String(printed))
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('an action of scenarios that is added as one row', () => {
  it('is in the schema, with its range and its descriptions', () => {
    expect(found.schema.ring).toEqual({
      description: 'Rings a bell.',
      type: 'object',
      additionalProperties: false,
      required: ['times'],
      properties: {
        times: { type: 'integer', minimum: 1, maximum: 9, description: 'How often the bell rings.' },
        for: { $ref: '#/definitions/positiveDuration', description: 'How long it can be heard.' },
      },
    })
  })

  it("is in the editor's schema and in the reference", () => {
    expect(found.editor).toContain('"Rings a bell."')
    expect(found.reference).toContain('### ring\n\nRings a bell.\n')
    expect(found.reference).toContain('| `times` | a whole number from 1 to 9 | How often the bell rings. |')
  })

  it('is checked, and meant by words that are near', () => {
    expect(found.told[0]).toBe('timeline[0].ring.times: must be at most 9')
    expect(found.told[1]).toBe('timeline[0].rnig: unknown key "rnig" -> ring')
  })

  it('acts, is an event, and is written to the journal and replayed', () => {
    expect(found.events).toMatch(/"action":"ring","id":null,"problem":"too-long"/)
    expect(found.journal).toContain('"ring":{"times":2,"for":"5s"}')
    expect(found.isReplayed).toBe(true)
  })

  it('has a type, and so have the method of an operation and a risk limit', () => {
    const file = join(scratch, 'types.ts')
    writeFileSync(
      file,
      `import type { VenueClient } from './src/client/create-venue-client.ts'
import type { ScriptedAction } from './src/scenario/actions/actions.ts'
export const right: ScriptedAction = { kind: 'ring', times: 2 }
export const wrong: Extract<ScriptedAction, { kind: 'ring' }> = { kind: 'ring', times: 'two' }
type Heat = VenueClient['risk']['heat']
export const since: Parameters<Heat>[0] = { since: 7 }
export const degrees: Awaited<ReturnType<Heat>> = { degrees: 'many' }
type Limits = Awaited<ReturnType<VenueClient['risk']['limits']>>['limits']
export const most: Limits['maxLiveOrders'] = 'many'
`,
    )
    // The compiler of `npm run check`; neither the browser's types nor those of other packages, which take long to read.
    const compiler = join(root, 'node_modules/@typescript/native/bin/tsc')
    const options = [
      '--singleThreaded',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--allowImportingTsExtensions',
    ]
    const words = [...options, '--target', 'es2023', '--lib', 'es2023', '--types', '', '--module', 'nodenext']
    const { stdout } = spawnSync(process.execPath, [compiler, ...words, 'types.ts'], {
      cwd: scratch,
      encoding: 'utf8',
    })
    const problems = [...stdout.matchAll(/^types\.ts\((\d+),\d+\): error TS\d+: (.*)$/gm)]
    expect(problems.map(([, line, message]) => [line, message])).toEqual([
      ['4', "Type 'string' is not assignable to type 'number'."],
      ['7', "Type 'string' is not assignable to type 'number'."],
      ['9', "Type 'string' is not assignable to type 'number'."],
    ])
  })
})

it('a price model that is added as a file and its row is in the schema, the reference and the checks', () => {
  expect(found.schema.drum).toMatchObject({ description: 'Beats.', properties: { beat: { maximum: 2 } } })
  expect(found.reference).toContain('### model: drum\n\nBeats.\n')
  expect(found.told[2]).toBe('market.assets.BTC.model.beat: must be at most 2')
})

it('an agent that is added as a file and its row is in the schema, the reference and the checks, and runs', () => {
  expect(found.editor).toContain('"How deep it sleeps."')
  expect(found.reference).toContain('### agents: sleeper\n\nSleeps.\n')
  expect(found.told[3]).toBe('agents[0].params.depth: must be at most 7')
})

it('a read-out that is added as a row is in the reference, is meant by words that are near, and is read', () => {
  expect(found.reference).toContain('| `price.SYMBOL` | double, bid,')
  expect(found.told[4]).toContain('-> double')
  expect(found.events).toContain('"id":"doubled"')
})

it('a figure that is added as a row is in the reference, is meant by words that are near, and is read', () => {
  expect(found.reference).toContain('| `halves` | Half of the fills, and seven. |')
  expect(found.told.at(-1)).toContain('-> halves')
  expect(found.events).toContain('"id":"halved"')
})

it('a figure of a backtest that is added as a row is computed, flattened, shown with its unit, and has its direction', () => {
  expect(found.metric).toMatchObject({ computed: { value: 3.5, reason: null }, flat: 3.5, direction: -1 })
  expect(found.metric.text).toContain('3.5')
  expect(JSON.stringify(found.metric.lines)).toContain('Oddness of trips')
})

it('a risk limit that is added as a row is in the schema and the reference, is meant by words that are near, and journaled', () => {
  expect(found.limit.schema).toEqual({
    type: 'integer',
    minimum: 0,
    maximum: 1_000_000,
    description: 'Maximum number of live things.',
  })
  expect(found.reference).toContain('| `maxLiveOrders` | a whole number from 0 to 1000000 | Maximum number')
  expect(found.told).toContain('accounts[0].limits.maxLiveOrder: unknown key "maxLiveOrder" -> maxLiveOrders')
  expect(found.journal).toContain('"limits":{"account":"trader","set":{"maxLiveOrders":1}}')
})

it('a risk limit that is added as a row has its default, is shown, documented, and refuses', () => {
  expect(found.limit).toMatchObject({ shown: 2, listed: 1, isDocumented: true })
  expect(found.limit.refused.status).toBe(422)
  expect(JSON.stringify(found.limit.refused.body)).toContain('the account may have at most 1 open orders')
})

it('an operation that is added as a row and a handler is served, read, asked for by clients and documented', () => {
  const { answers, asked, refused, documented } = found.operation
  expect(answers).toEqual([
    { status: 200, body: { degrees: 10 } },
    { status: 200, body: { degrees: 283 } },
  ])
  expect(asked).toEqual({ degrees: 8 })
  expect(refused).toEqual({ field: 'since', reason: 'must be at most 9' })
  expect(documented).toMatchObject({
    operationId: 'getHeat',
    summary: 'Get the heat of the market',
    description: 'Scope READ; 10 requests a second.',
    tags: ['Risk'],
    parameters: [{ name: 'since', in: 'query', description: 'days' }],
    responses: { 200: { content: { 'application/json': { schema: { required: ['degrees'] } } } } },
  })
})

it('a reading that is added as a row is checked, documented, part of the matrix, and asked by a handler', () => {
  const { entry, cells, documented } = found.reading
  expect(entry).toMatchObject({ default: 'celsius', alternatives: ['kelvin'], perRequest: true })
  expect(cells).toEqual(['heat.unit=kelvin'])
  expect(documented).toBe('celsius')
  expect(found.told[5]).toBe('readings."heat.unit": must be one of celsius, kelvin -> kelvin')
})

it('a fault that is added as a row strikes, and is meant by words that are near', () => {
  expect(found.fault).toEqual({ answer: { status: 418, body: { tea: true } }, takes: ['retryAfter'] })
  expect(found.told[6]).toContain('-> teapot')
})
