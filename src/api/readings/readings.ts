import { assert } from '../../numeric/assert.ts'
import { type Read, unknownWordFlaw } from '../flaw.ts'
import { type Reading, readingsTable } from './readings-table.ts'

/*
 * Named sets of readings, each with what speaks for it. `evidence` names the place in which the reading shows; files are
 * those of the package that `source` names.
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

/** The key of readings under which a preset is named. */
export const presetKey = 'preset'

const presets = {
  'published-client': {
    source: 'PyPI zenotc 0.2.1',
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

export type Readings = {
  readonly [Key in ReadingKey]:
    | (typeof readingsTable)[Key]['default']
    | (typeof readingsTable)[Key]['alternatives'][number]
}

export interface ReadingEntry extends Reading {
  readonly key: ReadingKey
  /** Whether `Prefer` may set it for one request; the windows of rate limits outlive a request. */
  readonly perRequest: boolean
}

/** In the order of the table. */
export const readingKeys: readonly ReadingKey[] = Object.keys(readingsTable).filter(isReadingKey)

/** The whole table, in its order, for documentation and the admin API. */
export const readingEntries: readonly ReadingEntry[] = readingKeys.map((key) => ({
  key,
  ...readingsTable[key],
  perRequest: !key.startsWith('rate.'),
}))

export const defaultReadings: Readings = wholeReadings(
  Object.fromEntries(readingKeys.map((key) => [key, readingsTable[key].default])),
)

/** A named set of readings, such as `published-client`. */
export interface PresetEntry {
  readonly name: string
  /** The program that shows the readings. */
  readonly source: string
  readonly about: string
  readonly readings: readonly {
    readonly key: ReadingKey
    readonly value: string
    readonly evidence: string
  }[]
}

/** In the order of the table; the readings of each in theirs. */
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
 * Values by reading, a number counting as its text; the key `preset` names a set of them, which the other keys override,
 * wherever they stand. A text is a preset alone: `@published-client`.
 */
export type ReadingOverrides = string | { readonly [key: string]: string | number }

/**
 * The readings of a process, a world or a request: `base`, with some overridden. Errors: an unknown preset; an unknown
 * key, then an unknown value; each with the nearest name as a hint.
 */
export function resolveReadings(
  overrides: ReadingOverrides,
  base: Readings = defaultReadings,
): Read<Readings> {
  if (typeof overrides === 'string') return resolveReadings({ [presetKey]: overrides }, base)
  const { [presetKey]: name, ...singles } = overrides
  if (name === undefined) return resolveSingles(singles, base)
  const preset = findPreset(name)
  return preset.ok ? resolveSingles({ ...readingsIn(preset.value), ...singles }, base) : preset
}

/** A preset by its name, with or without the sign that one has which stands alone. Errors: an unknown name. */
export function findPreset(name: string | number): Read<PresetEntry> {
  const wanted = String(name).replace(/^@/, '')
  const preset = presetEntries.find((entry) => entry.name === wanted)
  if (preset !== undefined) return { ok: true, value: preset }
  const names = presetEntries.map((entry) => entry.name)
  const reason = `must be one of ${names.map((known) => `@${known}`).join(', ')}`
  return { ok: false, flaw: unknownWordFlaw(presetKey, reason, wanted, names) }
}

export function readingsIn({ readings }: PresetEntry): { readonly [key: string]: string } {
  return Object.fromEntries(readings.map(({ key, value }) => [key, value]))
}

function resolveSingles(
  overrides: { readonly [key: string]: string | number },
  base: Readings,
): Read<Readings> {
  const resolved: { [key: string]: string } = { ...base }
  for (const [key, given] of Object.entries(overrides)) {
    // Anything else is no value, though a list of one would have its text.
    const value = typeof given === 'string' || typeof given === 'number' ? String(given) : ''
    if (!isReadingKey(key))
      return { ok: false, flaw: unknownWordFlaw(key, 'is not a known reading', key, readingKeys) }
    const values = valuesOf(key)
    if (!values.includes(value))
      return { ok: false, flaw: unknownWordFlaw(key, `must be one of ${values.join(', ')}`, value, values) }
    resolved[key] = value
  }
  return { ok: true, value: wholeReadings(resolved) }
}

export function isReadingKey(key: string): key is ReadingKey {
  return Object.hasOwn(readingsTable, key)
}

/** Default first. */
export function valuesOf(key: ReadingKey): readonly string[] {
  const reading: Reading = readingsTable[key]
  return [reading.default, ...reading.alternatives]
}

interface ValuesByKey {
  readonly [key: string]: string
}

function wholeReadings(values: ValuesByKey): Readings {
  assert(areReadings(values), 'every reading has one of its values')
  return values
}

function areReadings(values: ValuesByKey): values is Readings {
  return readingKeys.every((key) => valuesOf(key).includes(values[key] ?? ''))
}
