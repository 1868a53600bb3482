import { maximumDepth } from '../../../api/input/json-scan.ts'
import { isObject } from '../../../api/json.ts'
import { type Side, timesInForce } from '../../../engine/codes.ts'
import type { Command, Placement, QuoteUpdate, Setting, WithoutInstant } from '../../../engine/command.ts'
import type { AccountConfig, LimitsConfig, SizeLimit, ValueLimit } from '../../../engine/config.ts'
import { frozen, type Metadata } from '../../../engine/metadata.ts'
import type { LiquidityConditions } from '../../../market/liquidity/liquidity.ts'
import { atoms, millis, partsPerMillion, priceTicks, quantitySteps } from '../../../numeric/units.ts'
import {
  branded,
  type Codec,
  choice,
  finite,
  integer,
  integerFrom,
  isNameIn,
  listOf,
  mapOf,
  natural,
  nullable,
  oneOf,
  recordOf,
  text,
  truth,
  Undecodable,
} from './codec.ts'
import { modelCodec } from './model-codec.ts'

/** Any command, as the journal has it. A new kind of command does not compile until it has an entry here. */
export const commandCodec: Codec<Command> = {
  encode: (command) => {
    const kind = isObject(command) ? command['kind'] : null
    return isNameIn(byKind, kind) ? byKind[kind].encode(command) : null
  },
  decode: (json, path) => {
    if (!isObject(json)) throw new Undecodable(path, 'an object')
    const { kind } = json
    if (!isNameIn(byKind, kind)) throw new Undecodable(`${path}.kind`, 'the name of a command')
    return byKind[kind].decode(json, path)
  },
}

/** A setting is a command whose instant is elsewhere on the line. */
export const settingCodec: Codec<Setting> = {
  encode: (setting) => {
    const json = commandCodec.encode(setting)
    if (!isObject(json)) return json
    const { at: _, ...rest } = json
    return rest
  },
  decode: (json, path) => {
    const { at: _, ...setting } = commandCodec.decode(isObject(json) ? { ...json, at: 0 } : json, path)
    if (!isSetting(setting)) throw new Undecodable(`${path}.kind`, 'the name of a setting')
    return setting
  },
}

const settingKinds: ReadonlySet<Kind> = new Set<Setting['kind']>([
  'set-limits',
  'set-fees',
  'set-account-type',
  'set-pair',
  'halt',
  'resume',
])

const isSetting = (command: WithoutInstant<Command>): command is Setting => settingKinds.has(command.kind)

type Kind = Command['kind']
type CommandOf<Name extends Kind, Member = Command> = Member extends Command
  ? Name extends Member['kind']
    ? Member
    : never
  : never

const instant = branded(natural, millis)
const span = branded(natural, millis)
const price = branded(natural, priceTicks)
const quantity = branded(natural, quantitySteps)
const amount = branded(natural, atoms)
const rate = branded(integer, partsPerMillion)
const share = branded(natural, partsPerMillion)
/** Rows count from 0; the engine refuses rows that do not exist. */
const row = integerFrom(-1)
const side = oneOf<Side>(0, 1)
const clientId = nullable(text)

/** As deep as the interface lets a body nest, so that nothing deeper can reach the engine. */
const metadata: Codec<Metadata | null> = nullable({
  encode: (value) => value,
  decode: (json, path) => {
    if (!isObject(json) || !isPlain(json, maximumDepth)) throw new Undecodable(path, 'plain JSON')
    return frozen(json)
  },
})

function isPlain(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return true
  if (levels === 0 || Object.hasOwn(value, '__proto__')) return false
  return Object.values(value).every((item: unknown) => isPlain(item, levels - 1))
}

const placementFields = {
  account: row,
  asset: row,
  side,
  type: oneOf(0, 1),
  timeInForce: oneOf(...Object.values(timesInForce)),
  quantitySteps: quantity,
  priceTicks: price,
  clientOrderId: clientId,
  allowsDuplicateId: truth,
  keepsRefused: truth,
  metadata,
} as const

const quoteUpdateFields = {
  quote: row,
  bidPriceTicks: nullable(price),
  askPriceTicks: nullable(price),
  bidSteps: nullable(quantity),
  askSteps: nullable(quantity),
  validForMillis: nullable(span),
  validFrom: oneOf('now', 'created', 'expiry'),
} as const

const sizeLimit = recordOf<SizeLimit>({ bySymbol: mapOf(natural), default: natural })
const valueLimit = recordOf<ValueLimit>({ bySymbol: mapOf(amount), default: amount })

const limits = recordOf<LimitsConfig>({
  maxOrderSize: sizeLimit,
  minOrderSize: sizeLimit,
  maxOrderValue: amount,
  maxDailyVolume: amount,
  maxOpenOrders: natural,
  maxOpenOrdersPerAsset: natural,
  maxExposure: amount,
  maxExposurePerAsset: valueLimit,
  maxLeverage: share,
})

export const accountCodec = recordOf<AccountConfig>({
  id: text,
  type: oneOf('cash', 'margin'),
  balances: mapOf(amount),
  averageEntryPrices: mapOf(natural),
  limits,
  fees: nullable(recordOf({ makerRate: rate, takerRate: rate })),
})

const plainConditions = {
  spreadMultiplier: finite,
  depthMultiplier: finite,
  sides: oneOf('both', 'bids', 'asks', 'none'),
} as const
const conditions = choice<LiquidityConditions>((value) =>
  value['refreshMultiplier'] === undefined
    ? recordOf<Omit<LiquidityConditions, 'refreshMultiplier'>>(plainConditions)
    : recordOf<Required<LiquidityConditions>>({ ...plainConditions, refreshMultiplier: finite }),
)

const transfer = recordOf<CommandOf<'deposit'>>({
  kind: oneOf('deposit', 'withdraw'),
  at: instant,
  account: row,
  asset: row,
  atoms: amount,
  pendingMillis: span,
})

const forcedEnd = recordOf<CommandOf<'force-reject'>>({
  kind: oneOf('force-reject', 'force-expire'),
  at: instant,
  order: row,
})

const byKind: { readonly [Name in Kind]: Codec<CommandOf<Name>> } = {
  advance: recordOf<CommandOf<'advance'>>({ kind: oneOf('advance'), at: instant }),
  'place-order': recordOf<CommandOf<'place-order'>>({
    kind: oneOf('place-order'),
    at: instant,
    ...placementFields,
  }),
  'place-orders': recordOf<CommandOf<'place-orders'>>({
    kind: oneOf('place-orders'),
    at: instant,
    placements: listOf(recordOf<Placement>(placementFields)),
  }),
  'amend-order': recordOf<CommandOf<'amend-order'>>({
    kind: oneOf('amend-order'),
    at: instant,
    account: row,
    order: row,
    quantitySteps: nullable(quantity),
    priceTicks: nullable(price),
  }),
  'cancel-order': recordOf<CommandOf<'cancel-order'>>({
    kind: oneOf('cancel-order'),
    at: instant,
    account: row,
    order: row,
  }),
  'cancel-orders': recordOf<CommandOf<'cancel-orders'>>({
    kind: oneOf('cancel-orders'),
    at: instant,
    account: row,
    asset: nullable(row),
    side: nullable(side),
  }),
  'submit-quote': recordOf<CommandOf<'submit-quote'>>({
    kind: oneOf('submit-quote'),
    at: instant,
    account: row,
    asset: row,
    bidPriceTicks: price,
    askPriceTicks: price,
    bidSteps: quantity,
    askSteps: quantity,
    validForMillis: span,
    clientQuoteId: clientId,
    allowsDuplicateId: truth,
    metadata,
  }),
  'update-quote': recordOf<CommandOf<'update-quote'>>({
    kind: oneOf('update-quote'),
    at: instant,
    account: row,
    ...quoteUpdateFields,
  }),
  'update-quotes': recordOf<CommandOf<'update-quotes'>>({
    kind: oneOf('update-quotes'),
    at: instant,
    account: row,
    updates: listOf(recordOf<QuoteUpdate>(quoteUpdateFields)),
  }),
  'cancel-quote': recordOf<CommandOf<'cancel-quote'>>({
    kind: oneOf('cancel-quote'),
    at: instant,
    account: row,
    quote: row,
  }),
  'cancel-quotes': recordOf<CommandOf<'cancel-quotes'>>({
    kind: oneOf('cancel-quotes'),
    at: instant,
    account: row,
    asset: nullable(row),
  }),
  deposit: transfer,
  withdraw: transfer,
  'settle-transfer': recordOf<CommandOf<'settle-transfer'>>({
    kind: oneOf('settle-transfer'),
    at: instant,
    transfer: row,
  }),
  'create-account': recordOf<CommandOf<'create-account'>>({
    kind: oneOf('create-account'),
    at: instant,
    account: accountCodec,
  }),
  'set-limits': recordOf<CommandOf<'set-limits'>>({
    kind: oneOf('set-limits'),
    at: instant,
    account: row,
    limits,
  }),
  'set-fees': recordOf<CommandOf<'set-fees'>>({
    kind: oneOf('set-fees'),
    at: instant,
    account: row,
    makerRate: rate,
    takerRate: rate,
  }),
  'set-account-type': recordOf<CommandOf<'set-account-type'>>({
    kind: oneOf('set-account-type'),
    at: instant,
    account: row,
    type: oneOf('cash', 'margin'),
  }),
  'set-pair': recordOf<CommandOf<'set-pair'>>({
    kind: oneOf('set-pair'),
    at: instant,
    asset: row,
    minQuantitySteps: nullable(quantity),
    maxQuantitySteps: nullable(quantity),
    minPriceTicks: nullable(price),
    minNotionalAtoms: nullable(amount),
  }),
  halt: recordOf<CommandOf<'halt'>>({
    kind: oneOf('halt'),
    at: instant,
    asset: row,
    mode: oneOf('reject', 'rest'),
    forMillis: span,
  }),
  resume: recordOf<CommandOf<'resume'>>({ kind: oneOf('resume'), at: instant, asset: row }),
  'move-price': recordOf<CommandOf<'move-price'>>({
    kind: oneOf('move-price'),
    at: instant,
    asset: row,
    points: listOf(recordOf({ offsetMillis: span, priceTicks: price })),
    noiseVol: share,
  }),
  'bend-price': recordOf<CommandOf<'bend-price'>>({
    kind: oneOf('bend-price'),
    at: instant,
    asset: row,
    volMultiplier: share,
    drift: rate,
  }),
  'switch-model': recordOf<CommandOf<'switch-model'>>({
    kind: oneOf('switch-model'),
    at: instant,
    asset: row,
    model: modelCodec,
  }),
  'set-liquidity': recordOf<CommandOf<'set-liquidity'>>({
    kind: oneOf('set-liquidity'),
    at: instant,
    asset: row,
    conditions,
    isStale: truth,
    forMillis: span,
  }),
  'force-fill': recordOf<CommandOf<'force-fill'>>({
    kind: oneOf('force-fill'),
    at: instant,
    order: row,
    quantitySteps: nullable(quantity),
    priceTicks: nullable(price),
  }),
  'force-reject': forcedEnd,
  'force-expire': forcedEnd,
  'force-expire-quote': recordOf<CommandOf<'force-expire-quote'>>({
    kind: oneOf('force-expire-quote'),
    at: instant,
    quote: row,
  }),
}
