import type { Command } from '../../engine/command.ts'
import { hasRefill, type LiquidityConditions } from '../../market/liquidity/liquidity.ts'
import { millis } from '../../numeric/units.ts'
import { flag, number, orNone, type RecordOf, record, words } from '../../shape/shape.ts'
import { childField, complain } from '../file/fields.ts'
import { type ActionKind, all, type Begun } from './action.ts'
import { part } from './parts.ts'
import { path } from './path.ts'
import type { Timed } from './timed-settings.ts'

/* Actions on liquidity and trading as such. */

const assets = part('assets', 'The asset, or "*" for all.', 'asset')
const lasts = 'How long, after which the earlier state is restored.'

const factor = (description: string) => number(0, 1000, description)

const begun = ({ commands, endsAtMillis }: Timed, kind: 'end' | 'recover', count: number): Begun => ({
  commands,
  later: endsAtMillis === null ? null : { atMillis: endsAtMillis, kind, count },
})

const liquidityShape = record(
  {
    assets,
    spreadX: orNone(factor('Multiplies the spread of the house.')),
    depthX: orNone(factor('Multiplies the depth of the house.')),
    oneSided: orNone(words(['bids', 'asks', 'none'], 'The only side that remains, or none.')),
    stale: orNone(flag('Book and price stay unchanged while the fundamental price moves.')),
    forMillis: orNone(part('positiveSpan', lasts, 'for')),
    recoverHalfLifeMillis: orNone(
      part('span', 'Half-life of the return to normal, after `for` or from now on.', 'recoverHalfLife'),
    ),
    refreshX: orNone(factor('Multiplies the pace at which the levels of the house refill.')),
  },
  'Changes the liquidity of the house. Settings that are not given return to normal.',
)

type LiquidityAction = RecordOf<typeof liquidityShape>

const liquidity: ActionKind<LiquidityAction> = {
  shape: liquidityShape,
  /** A ladder that is whole again at each step of the grid has no pace that could be changed. */
  check: ({ assets }, field, scope) => {
    const refresh = childField(field, 'refreshX')
    const refills = assets.some((row) => {
      const ladder = scope.assets[row]?.liquidity
      return ladder === undefined || hasRefill(ladder)
    })
    if (refresh === null || refills) return
    const reason =
      'has no meaning here: the ladder is whole again at each step of the grid, because its dynamics have no refillHalfLife'
    complain(refresh, `"refreshX" ${reason}`)
  },
  begin: (action, { settings, venue, token }) => {
    const { assets, forMillis = 0, recoverHalfLifeMillis: halfLife = 0 } = action
    const value = { conditions: conditionsOf(action), isStale: action.stale ?? false, endsAtMillis: 0 }
    return halfLife > 0
      ? begun(settings.beginRecovery(assets, value, forMillis, halfLife, venue.state, token), 'recover', 1)
      : begun(settings.beginLiquidity(assets, value, forMillis, venue.state, token), 'end', 1)
  },
  resume: (action, { settings, venue, token }, kind, count) => {
    const { assets, recoverHalfLifeMillis: halfLife = 0 } = action
    if (kind === 'end') return { commands: settings.endLiquidity(assets, venue.state, token) }
    const from = conditionsOf(action)
    return begun(settings.recover(assets, from, halfLife, venue.state, token, count), 'recover', count + 1)
  },
}

function conditionsOf(action: LiquidityAction): LiquidityConditions {
  const { spreadX = 1, depthX = 1, oneSided = 'both', refreshX = 1 } = action
  return {
    spreadMultiplier: spreadX,
    depthMultiplier: depthX,
    sides: oneSided,
    ...(refreshX === 1 ? {} : { refreshMultiplier: refreshX }),
  }
}

const haltShape = record(
  {
    assets,
    mode: orNone(words(['reject', 'rest'], 'Whether new orders are refused, or rest unmatched.')),
    forMillis: orNone(part('positiveSpan', `${lasts} By default until \`resume\`.`, 'for')),
  },
  'Stops trading.',
)

type HaltAction = RecordOf<typeof haltShape>

const halt: ActionKind<HaltAction> = {
  shape: haltShape,
  begin: ({ assets, mode = 'reject', forMillis = 0 }, { settings, venue, token }) => {
    const value = { mode, endsAtMillis: 0 }
    return begun(settings.halts.begin(assets, value, forMillis, venue.state, token), 'end', 1)
  },
  resume: ({ assets }, { settings, venue, token }) => ({
    commands: settings.halts.end(assets, venue.state, token),
  }),
}

const resumeShape = record({ assets }, 'Ends a halt; what crossed meanwhile trades.')

const resume: ActionKind<RecordOf<typeof resumeShape>> = {
  shape: resumeShape,
  changes: ({ assets }) => ({ pairs: assets }),
  begin: ({ assets }, { settings, venue }) => {
    for (const asset of assets) settings.halts.stacks.clear(asset)
    const at = millis(venue.state.nowMillis)
    return { commands: assets.map((asset) => ({ kind: 'resume', at, asset })) }
  },
}

const boundsShape = record(
  {
    status: orNone(words(['active', 'inactive'], 'Inactive refuses new orders.')),
    minQuantitySteps: orNone(part('steps', 'Minimum quantity of an order.', 'minQuantity')),
    maxQuantitySteps: orNone(part('steps', 'Maximum quantity of an order.', 'maxQuantity')),
    minPriceTicks: orNone(part('ticks', 'Minimum price of an order.', 'minPrice')),
    minNotionalAtoms: orNone(part('usd', 'Minimum value of an order, USD.', 'minNotional')),
  },
  'What changes.',
)

const pairShape = record(
  { assets, set: { ...boundsShape, minProperties: 1 } },
  "Changes a pair's bounds or status.",
)

const pair: ActionKind<RecordOf<typeof pairShape>> = {
  shape: pairShape,
  changes: ({ assets }) => ({ pairs: assets }),
  commands: ({ assets, set }, { at }) => {
    const { status, minQuantitySteps = null, maxQuantitySteps = null } = set
    const { minPriceTicks = null, minNotionalAtoms = null } = set
    const bounds = { minQuantitySteps, maxQuantitySteps, minPriceTicks, minNotionalAtoms }
    const changesBounds = Object.values(bounds).some((bound) => bound !== null)
    return all(
      assets.flatMap((asset): readonly Command[] => [
        ...(changesBounds ? [{ kind: 'set-pair', at, asset, ...bounds } as const] : []),
        ...(status === 'inactive'
          ? [{ kind: 'halt', at, asset, mode: 'reject', forMillis: millis(0) } as const]
          : []),
        ...(status === 'active' ? [{ kind: 'resume', at, asset } as const] : []),
      ]),
    )
  },
}

export const marketActions = { path, liquidity, halt, resume, pair }
