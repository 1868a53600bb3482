import type { Command, Placement, QuoteChange } from '../../src/engine/command.ts'
import { millisPerDay } from '../../src/numeric/time-text.ts'
import type { Millis } from '../../src/numeric/units.ts'
import { atoms, millis, partsPerMillion, priceTicks, quantitySteps } from '../../src/numeric/units.ts'
import { availableOf } from '../reference/naive-ledger.ts'
import { dueInstants } from '../reference/naive-timeline.ts'
import { isLive, type NaiveWorld } from '../reference/naive-world.ts'
import { newcomer } from './configs.ts'
import { limitSets } from './limits.ts'
import type {
  AccountPlan,
  AmendPlan,
  MarginPlan,
  PairPlan,
  PlacePlan,
  Plan,
  Span,
  TransferPlan,
  UpdateQuotePlan,
} from './plans.ts'

/** The command that a plan means in this world, at its present time. */
export function commandOf(plan: Plan, world: NaiveWorld): Command {
  const at = millis(world.now)
  switch (plan.kind) {
    case 'advance':
      return { kind: 'advance', at: millis(world.now + spanOf(plan.by, world)) }
    case 'place':
      return { kind: 'place-order', at, ...placementOf(plan) }
    case 'place-many':
      return { kind: 'place-orders', at, placements: plan.items.map(placementOf) }
    case 'cancel-all': {
      const { asset, side } = plan
      return { kind: 'cancel-orders', at, account: plan.account + 3, asset, side }
    }
    case 'cancel-quotes':
      return { kind: 'cancel-quotes', at, account: plan.account + 3, asset: plan.asset }
    case 'deposit':
    case 'withdraw':
      return transferOf(plan, world)
    case 'settle':
      return {
        kind: 'settle-transfer',
        at,
        transfer:
          plan.transfer === 4 ? world.transfers.length : (back(world.transfers, plan.transfer)?.row ?? 0),
      }
    case 'halt':
      return {
        kind: 'halt',
        at,
        asset: plan.asset,
        mode: plan.mode,
        forMillis: spanOf(plan.forMillis, world),
      }
    case 'resume':
      return { kind: 'resume', at, asset: plan.asset }
    case 'limits': {
      const limits = limitSets[plan.limits % limitSets.length] ?? limitSets[0]
      return { kind: 'set-limits', at, account: plan.account + 3, limits }
    }
    case 'fees':
      return {
        kind: 'set-fees',
        at,
        account: plan.account + 3,
        makerRate: partsPerMillion(plan.makerRate),
        takerRate: partsPerMillion(plan.takerRate),
      }
    case 'price': {
      const points = [{ offsetMillis: millis(0), priceTicks: priceTicks(plan.ticks) }]
      return { kind: 'move-price', at, asset: plan.asset, points, noiseVol: partsPerMillion(0) }
    }
    case 'pair':
    case 'account':
    case 'margin':
      return settingOf(plan, at)
    default:
      return onRow(plan, world)
  }
}

function settingOf(plan: PairPlan | AccountPlan | MarginPlan, at: Millis): Command {
  switch (plan.kind) {
    case 'pair': {
      const steps = (value: number | null) => (value === null ? null : quantitySteps(value))
      return {
        kind: 'set-pair',
        at,
        asset: plan.asset,
        minQuantitySteps: steps(plan.minQuantitySteps),
        maxQuantitySteps: steps(plan.maxQuantitySteps),
        minPriceTicks: plan.minPriceTicks === null ? null : priceTicks(plan.minPriceTicks),
        minNotionalAtoms: null,
      }
    }
    case 'account':
      return { kind: 'create-account', at, account: newcomer(plan.id, plan.isMargin) }
    case 'margin':
      return { kind: 'set-account-type', at, account: plan.account + 3, type: plan.type }
  }
}

type RowPlan = Extract<
  Plan,
  {
    kind:
      | 'amend'
      | 'cancel'
      | 'quote'
      | 'update-quote'
      | 'update-quotes'
      | 'cancel-quote'
      | 'force-fill'
      | 'force-reject'
      | 'force-expire'
      | 'force-expire-quote'
  }
>

function onRow(plan: RowPlan, world: NaiveWorld): Command {
  const at = millis(world.now)
  switch (plan.kind) {
    case 'amend': {
      const { row, account } = orderOf(world, plan.order, plan.isForeign)
      return { kind: 'amend-order', at, account, order: row, ...amendmentOf(plan, world, row) }
    }
    case 'cancel': {
      const { row, account } = orderOf(world, plan.order, plan.isForeign)
      return { kind: 'cancel-order', at, account, order: row }
    }
    case 'quote':
      return {
        kind: 'submit-quote',
        at,
        account: plan.account + 3,
        asset: plan.asset,
        bidPriceTicks: priceTicks(plan.bidTicks),
        askPriceTicks: priceTicks(plan.askTicks),
        bidSteps: quantitySteps(plan.bidSteps),
        askSteps: quantitySteps(plan.askSteps),
        validForMillis: spanOf(plan.ttl, world),
        clientQuoteId: plan.clientId === null ? null : `q${plan.clientId}`,
        allowsDuplicateId: plan.allowsDuplicateId,
        metadata: null,
      }
    case 'update-quote': {
      const { row, account } = quoteOf(world, plan.quote, plan.isForeign)
      return { kind: 'update-quote', at, account, ...updateOf(plan, row, world) }
    }
    case 'update-quotes': {
      const first = plan.items[0]
      const { account } = quoteOf(world, first?.quote ?? 0, first?.isForeign ?? false)
      const updates = plan.items.map((item) => updateOf(item, quoteOf(world, item.quote, false).row, world))
      return { kind: 'update-quotes', at, account, updates }
    }
    case 'cancel-quote': {
      const { row, account } = quoteOf(world, plan.quote, plan.isForeign)
      return { kind: 'cancel-quote', at, account, quote: row }
    }
    case 'force-expire-quote':
      return { kind: 'force-expire-quote', at, quote: quoteOf(world, plan.row, false).row }
    case 'force-fill': {
      const { row } = orderOf(world, plan.row, false)
      const steps = plan.steps === null ? null : quantitySteps(plan.steps)
      const ticks = plan.ticks === null ? null : priceTicks(plan.ticks)
      return { kind: 'force-fill', at, order: row, quantitySteps: steps, priceTicks: ticks }
    }
    default:
      return { kind: plan.kind, at, order: orderOf(world, plan.row, false).row }
  }
}

function amendmentOf({ steps, ticks }: AmendPlan, world: NaiveWorld, row: number) {
  const order = world.orders[row]
  const filled = Number(order?.filled ?? 0)
  const own = world.orders
    .filter((other) => isLive(other) && other.account === order?.account && other.asset === order.asset)
    .find((other) => other.side !== order?.side)
  const total = typeof steps === 'string' ? filled + fromFilled[steps] : steps
  const price = ticks === 'own' ? Number(own?.priceTicks ?? 100) : ticks
  return {
    quantitySteps: total === null ? null : quantitySteps(Math.max(0, total)),
    priceTicks: price === null ? null : priceTicks(price),
  }
}

const fromFilled = { 'filled-1': -1, filled: 0, 'filled+1': 1 }

function placementOf(plan: PlacePlan): Placement {
  return {
    account: plan.account + 3,
    asset: plan.asset,
    side: plan.side,
    type: plan.type,
    timeInForce: plan.timeInForce,
    quantitySteps: quantitySteps(plan.steps),
    priceTicks: priceTicks(plan.type === 1 ? 0 : plan.ticks),
    clientOrderId: plan.clientId === null ? null : `c${plan.clientId}`,
    allowsDuplicateId: plan.allowsDuplicateId,
    keepsRefused: plan.keepsRefused,
    metadata: null,
  }
}

function transferOf(plan: TransferPlan, world: NaiveWorld): Command {
  const perUnit = plan.asset === 0 ? 1_000_000 : Number(world.assets[plan.asset]?.atomsPerStep ?? 1n)
  const available = availableOf(world, plan.account + 3, plan.asset)
  return {
    kind: plan.kind,
    at: millis(world.now),
    account: plan.account + 3,
    asset: plan.asset,
    atoms: atoms(plan.amount === 'all' ? Number(available) : plan.amount * perUnit),
    pendingMillis: spanOf(plan.pendingMillis, world),
  }
}

function updateOf(plan: UpdateQuotePlan, quote: number, world: NaiveWorld): QuoteChange {
  return {
    quote,
    bidPriceTicks: plan.bidTicks === null ? null : priceTicks(plan.bidTicks),
    askPriceTicks: plan.askTicks === null ? null : priceTicks(plan.askTicks),
    bidSteps: plan.bidSteps === null ? null : quantitySteps(plan.bidSteps),
    askSteps: plan.askSteps === null ? null : quantitySteps(plan.askSteps),
    validForMillis: plan.ttl === null ? null : spanOf(plan.ttl, world),
    validFrom: plan.validFrom,
  }
}

/** Half a second where nothing is due. */
function spanOf(span: Span, world: NaiveWorld): Millis {
  if (typeof span === 'number') return millis(span)
  const sinceGrid = (world.now - world.startMillis) % world.gridMillis
  const next = Math.min(...dueInstants(world))
  const until = {
    due: Number.isFinite(next) ? next - world.now : 500,
    grid: world.gridMillis - sinceGrid,
    midnight: millisPerDay - (world.now % millisPerDay),
  }
  const [name, offset] = spanParts[span]
  return millis(Math.max(0, until[name] + offset))
}

const spanParts = {
  'due-1': ['due', -1],
  due: ['due', 0],
  'due+1': ['due', 1],
  grid: ['grid', 0],
  'midnight-1': ['midnight', -1],
  midnight: ['midnight', 0],
} as const

function orderOf(world: NaiveWorld, index: number, isForeign: boolean) {
  if (index === 11) return { row: isForeign ? -1 : world.orders.length, account: 3 }
  const live = world.orders.filter((order) => order.status < 2)
  const order = back(index % 4 === 3 || live.length === 0 ? world.orders : live, index)
  return { row: order?.row ?? 0, account: ownerOf(order?.account ?? 3, isForeign) }
}

function quoteOf(world: NaiveWorld, index: number, isForeign: boolean) {
  if (index === 5) return { row: isForeign ? -1 : world.quotes.length, account: 3 }
  const live = world.quotes.filter((quote) => quote.status < 2)
  const quote = back(index % 4 === 3 || live.length === 0 ? world.quotes : live, index)
  return { row: quote?.row ?? 0, account: ownerOf(quote?.account ?? 3, isForeign) }
}

function ownerOf(account: number, isForeign: boolean): number {
  return isForeign ? 3 + ((account - 2) % 4) : account
}

function back<Row>(rows: readonly Row[], index: number): Row | undefined {
  return rows[rows.length - 1 - (index % Math.max(1, rows.length))]
}
