import { assert } from '../../numeric/assert.ts'
import { type InputResult, unknownWordProblem } from '../input-problem.ts'
import { type Reading, readingsTable } from './readings-table.ts'

/*
 * The presets: named sets of readings, each reading with its evidence. `evidence` names the place in which the
 * reading shows, in a file of the package that `source` names.
 */

type Table = typeof readingsTable

interface Preset {
  readonly source: string
  readonly about: string
  readonly readings: {
    readonly [Key in keyof Table]?: {
      readonly value: Table[Key]['default'] | Table[Key]['alternatives'][number]
      readonly evidence: string
    }
  }
}

/** The key of readings that names a preset. */
export const presetKey = 'preset'

const presets = {
  'published-client': {
    source: 'PyPI zenotc 0.2.2',
    about: "The venue's published Python client works unchanged, by base URL, key and secret alone.",
    readings: {
      'signature.key': {
        value: 'sha256',
        evidence: 'utils/http.py, _sign_request: "server stores SHA256(secret) as secretHash"',
      },
      'signature.query': {
        value: 'exclude',
        evidence: 'utils/http.py, request: the headers are made of method, path and body, without params',
      },
      'body.names': {
        value: 'either',
        evidence: 'utils/http.py, _serialize_body: model_dump without by_alias, so order_type and bid_price',
      },
      'body.coerce': {
        value: 'coerce',
        evidence:
          'models/order.py, OrderRequest: a Decimal is written as a string; amend_order sends str(Decimal)',
      },
      'answers.clientFields': {
        value: 'added',
        evidence: 'models/*.py: Field(...) without a default, such as Order.id and Quote.user_id',
      },
      'shapes.position': {
        value: 'full',
        evidence: 'models/portfolio.py, Position: market_value and cost_basis are required',
      },
      envelope: {
        value: 'bare',
        evidence:
          'clients/*.py: model_validate(response), and response.get("orderbooks"), of the body itself',
      },
      'error.typeField': {
        value: 'errorCode',
        evidence: 'utils/http.py, _handle_error_response: data.get("errorCode")',
      },
      'error.message': {
        value: 'list',
        evidence:
          'exceptions.py, ZenOTCError.__str__: a message that is no str is joined with "; " (from 0.2.2 on)',
      },
      'filters.unlisted': {
        value: 'accept',
        evidence: 'clients/execution.py, get_open_orders: pending, open, partially_filled',
      },
      'quotes.query': {
        value: 'either',
        evidence: 'clients/market_making.py, get_quotes: page, limit and statuses',
      },
      'quotes.fills': {
        value: 'present',
        evidence: 'clients/market_making.py, get_quote_fills',
      },
      'depth.maximum': {
        value: '100',
        evidence: 'clients/market_data.py, get_orderbook: min(depth, 100)',
      },
      'limits.form': {
        value: 'list',
        evidence: 'models/risk.py, RiskLimits: limits is a List[RiskLimit]',
      },
      'positions.one': {
        value: 'bare',
        evidence: 'clients/portfolio.py, get_position: Position.model_validate(response)',
      },
      'positions.sign': {
        value: 'signed',
        evidence: 'models/portfolio.py, Position.is_short: quantity < 0',
      },
    },
  },
} as const satisfies { readonly [name: string]: Preset }

export type ReadingKey = keyof typeof readingsTable

/** The value of every reading. */
export type Readings = {
  readonly [Key in ReadingKey]:
    | (typeof readingsTable)[Key]['default']
    | (typeof readingsTable)[Key]['alternatives'][number]
}

/** A reading with its key. */
export interface ReadingEntry extends Reading {
  readonly key: ReadingKey
  /**
   * Whether `Prefer` may set the reading for one request. Those of rate limits it may not, because their windows
   * outlive a request.
   */
  readonly perRequest: boolean
}

/** The keys of all readings, in the order of the table. */
export const readingKeys: readonly ReadingKey[] = Object.keys(readingsTable).filter(isReadingKey)

/** All readings in the order of the table, for documentation and the admin API. */
export const readingEntries: readonly ReadingEntry[] = readingKeys.map((key) => ({
  key,
  ...readingsTable[key],
  perRequest: !key.startsWith('rate.'),
}))

/** Every reading at its default. */
export const defaultReadings: Readings = toReadings(
  Object.fromEntries(readingKeys.map((key) => [key, readingsTable[key].default])),
)

/** A preset: a named set of readings, such as `published-client`. */
export interface PresetEntry {
  readonly name: string
  /** The program whose source shows the readings. */
  readonly source: string
  readonly about: string
  readonly readings: readonly {
    readonly key: ReadingKey
    readonly value: string
    readonly evidence: string
  }[]
}

/**
 * All presets, in the order in which they are declared. The readings of each are in the order of the table of
 * readings.
 */
export const presetEntries: readonly PresetEntry[] = Object.entries<Preset>(presets).map(
  ([name, { source, about, readings }]) => ({
    name,
    source,
    about,
    readings: readingKeys.flatMap((key) => {
      const chosen = readings[key]
      return chosen === undefined ? [] : [{ key, ...chosen }]
    }),
  }),
)

/**
 * Readings that differ from a base: values by reading, a number counting as its text. The key `preset` names a set of
 * them, which the other keys override wherever they stand. A text is a preset alone: `@published-client`.
 */
export type ReadingOverrides = string | { readonly [key: string]: string | number }

/**
 * Returns the readings of a process, a world or a request: `base` with some overridden. Errors, in order: an unknown
 * preset; an unknown key; an unknown value. Each has the nearest name as its hint.
 */
export function resolveReadings(
  overrides: ReadingOverrides,
  base: Readings = defaultReadings,
): InputResult<Readings> {
  if (typeof overrides === 'string') return resolveReadings({ [presetKey]: overrides }, base)
  const { [presetKey]: name, ...singles } = overrides
  if (name === undefined) return resolveSingles(singles, base)
  const preset = findPreset(name)
  return preset.ok ? resolveSingles({ ...readingValues(preset.value), ...singles }, base) : preset
}

/** Finds a preset by its name, with or without the `@` of a preset that stands alone. Errors: an unknown name. */
export function findPreset(name: string | number): InputResult<PresetEntry> {
  const wanted = String(name).replace(/^@/, '')
  const preset = presetEntries.find((entry) => entry.name === wanted)
  if (preset !== undefined) return { ok: true, value: preset }
  const names = presetEntries.map((entry) => entry.name)
  const reason = `must be one of ${names.map((known) => `@${known}`).join(', ')}`
  return { ok: false, problem: unknownWordProblem(presetKey, reason, wanted, names) }
}

/** Returns the values of a preset by reading. */
export function readingValues({ readings }: PresetEntry): { readonly [key: string]: string } {
  return Object.fromEntries(readings.map(({ key, value }) => [key, value]))
}

function resolveSingles(
  overrides: { readonly [key: string]: string | number },
  base: Readings,
): InputResult<Readings> {
  const resolved: { [key: string]: string } = { ...base }
  for (const [key, given] of Object.entries(overrides)) {
    // Only texts and numbers are values. A list of one value would have the same text.
    const value = typeof given === 'string' || typeof given === 'number' ? String(given) : ''
    if (!isReadingKey(key))
      return { ok: false, problem: unknownWordProblem(key, 'is not a known reading', key, readingKeys) }
    const values = listValues(key)
    if (!values.includes(value))
      return {
        ok: false,
        problem: unknownWordProblem(key, `must be one of ${values.join(', ')}`, value, values),
      }
    resolved[key] = value
  }
  return { ok: true, value: toReadings(resolved) }
}

/** Returns whether a text is the key of a reading. */
export function isReadingKey(key: string): key is ReadingKey {
  return Object.hasOwn(readingsTable, key)
}

/** Lists the values of a reading, the default first. */
export function listValues(key: ReadingKey): readonly string[] {
  const reading: Reading = readingsTable[key]
  return [reading.default, ...reading.alternatives]
}

interface ValuesByKey {
  readonly [key: string]: string
}

function toReadings(values: ValuesByKey): Readings {
  assert(areReadings(values), 'every reading has one of its values')
  return values
}

function areReadings(values: ValuesByKey): values is Readings {
  return readingKeys.every((key) => listValues(key).includes(values[key] ?? ''))
}
