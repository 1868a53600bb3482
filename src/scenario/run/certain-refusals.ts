import { messageOf } from '../../api/errors.ts'
import { defaultReadings } from '../../api/readings/readings.ts'
import { problemOf } from '../../api/refusals.ts'
import { checkTexts } from '../../api/views/check-texts.ts'
import { checkNames } from '../../engine/assessment.ts'
import { market } from '../../engine/codes.ts'
import { checkTerms } from '../../engine/quotes/quote-terms.ts'
import type { Rejection } from '../../engine/rejections.ts'
import { checkActive, checkQuantity } from '../../engine/risk/guards.ts'
import { assessOrder, checkOrderTerms } from '../../engine/risk/pre-trade-check.ts'
import type { State } from '../../engine/state.ts'
import { Venue } from '../../engine/venue.ts'
import type { CompiledScenario, TimelineEntry, Trigger } from '../compile/compiled.ts'
import type { OrderAction, QuoteAction } from '../compile/scripted-action.ts'
import type { PriceTerm } from '../file/amounts.ts'
import type { Place } from '../file/tree.ts'
import { readoutsIn } from './action-runner.ts'

/** An action that the venue is sure to refuse, whatever the market does, and why. */
export interface CertainRefusal {
  readonly place: Place
  readonly reason: string
}

/**
 * Actions that are sure to be refused and whose refusal no predicate asks about, in the order of the timeline: orders
 * and quotes beyond bounds that nothing in the file changes, ids used twice, and changes of what does not exist yet or
 * has always ended. What depends on prices, balances or clients is left to the run.
 */
export function certainRefusals(scenario: CompiledScenario): readonly CertainRefusal[] {
  const { state } = Venue.open(scenario.venue, { emit: () => {} })
  const { timeline } = scenario
  const asked = askedAbout(scenario)
  const story = storyOf(timeline)
  const clientIds = new Set<string>()
  return timeline.flatMap((entry, line): CertainRefusal[] => {
    const { action, place } = entry
    if (action.kind === 'order' || action.kind === 'quote') {
      if (asked.has(`${action.kind} ${action.label}`)) return []
      const reason =
        reasonOf(action, state, story) ?? usedTwice(action, entry.trigger, clientIds, scenario.readings)
      return reason === null ? [] : [{ place, reason }]
    }
    const target = targetOf(entry)
    const reason = target === null || asked.has(target) ? null : untimely(target, entry, line, story)
    return reason === null ? [] : [{ place, reason }]
  })
}

/** What a timeline changes and makes, gathered once: it may have many thousand entries. */
interface Story {
  /** Rows of assets whose bounds or status may change. */
  readonly changedPairs: ReadonlySet<number>
  /** Rows of accounts whose limits may change. */
  readonly changedLimits: ReadonlySet<number>
  /** The entries that make an order or a quote, by `order LABEL` and `quote LABEL`, with their lines in the timeline. */
  readonly makers: ReadonlyMap<string, readonly Maker[]>
}

interface Maker {
  readonly entry: TimelineEntry
  readonly line: number
}

function storyOf(timeline: readonly TimelineEntry[]): Story {
  const changedPairs = new Set<number>()
  const changedLimits = new Set<number>()
  const makers = new Map<string, Maker[]>()
  for (const [line, entry] of timeline.entries()) {
    const { action } = entry
    if (action.kind === 'pair' || action.kind === 'resume')
      for (const asset of action.assets) changedPairs.add(asset)
    if (action.kind === 'limits') changedLimits.add(action.account)
    for (const made of madeBy(action)) makers.set(made, [...(makers.get(made) ?? []), { entry, line }])
  }
  return { changedPairs, changedLimits, makers }
}

function madeBy(action: TimelineEntry['action']): readonly string[] {
  if (action.kind === 'order' || action.kind === 'quote')
    return action.label === null ? [] : [`${action.kind} ${action.label}`]
  return action.kind === 'await' && action.bind !== null
    ? [`order ${action.bind}`, `quote ${action.bind}`]
    : []
}

/** `order LABEL` and `quote LABEL` for every label whose refusal or existence a predicate reads. */
function askedAbout(scenario: CompiledScenario): ReadonlySet<string> {
  const asked = new Set<string>()
  for (const readout of readoutsIn(scenario)) {
    if (readout.family !== 'order' && readout.family !== 'quote') continue
    const isAbout = readout.field === 'refusal' || readout.field === 'exists'
    if (isAbout) asked.add(`${readout.family} ${readout.label}`)
  }
  return asked
}

function reasonOf(action: OrderAction | QuoteAction, state: State, story: Story): string | null {
  const { asset, account } = action
  if (!story.changedPairs.has(asset)) {
    const rejection =
      checkActive(state, asset) ??
      (action.kind === 'order' ? orderRejection(action, state) : quoteRejection(action, state))
    if (rejection !== null) return messageOf(problemOf(rejection, state.assets, asset, defaultReadings))
  }
  const isOfKnownLimits = action.kind === 'order' && !story.changedLimits.has(account)
  return isOfKnownLimits ? limitReason(action, state) : null
}

function orderRejection(action: OrderAction, state: State): Rejection | null {
  const terms = fixedTerms(action)
  return terms === null
    ? checkQuantity(state.assets.traded(action.asset), 'quantity', action.quantitySteps)
    : checkOrderTerms(state, terms)
}

function fixedTerms({ account, asset, side, price, quantitySteps }: OrderAction) {
  return price?.kind === 'ticks'
    ? { account, asset, side, quantitySteps, priceTicks: price.priceTicks }
    : null
}

function quoteRejection(action: QuoteAction, state: State): Rejection | null {
  const { bidPrice, askPrice, bidSteps, askSteps, account, asset } = action
  if (bidPrice.kind === 'ticks' && askPrice.kind === 'ticks') {
    return checkTerms(state, {
      account,
      asset,
      bidTicks: bidPrice.priceTicks,
      askTicks: askPrice.priceTicks,
      bidSteps,
      askSteps,
      bidFilledSteps: 0,
      askFilledSteps: 0,
      reserveRate: 0,
    })
  }
  if (relativeCrossing(bidPrice, askPrice)) return { code: 'crossed-quote' }
  if (bidSteps === 0 && askSteps === 0) return { code: 'empty-quote' }
  const pair = state.assets.traded(asset)
  const side = (field: 'bidSize' | 'askSize', steps: number) =>
    steps === 0 ? null : checkQuantity(pair, field, steps)
  return side('bidSize', bidSteps) ?? side('askSize', askSteps)
}

/** By a basis point or more: rounding to ticks may undo less. */
function relativeCrossing(bid: PriceTerm, ask: PriceTerm): boolean {
  return bid.kind !== 'ticks' && ask.kind !== 'ticks' && bid.change - ask.change >= 100
}

/** Limits of size and value; the others depend on what the account has by then. */
function limitReason(action: OrderAction, state: State): string | null {
  const terms = fixedTerms(action)
  if (terms === null) return null
  const assessment = assessOrder(state, terms)
  const { symbol, scale } = state.assets.config(assessment.checks.availableBalance.asset)
  const texts = checkTexts(assessment, { symbol, scale })
  const broken = checkNames.filter(
    (name) => (name === 'orderSize' || name === 'orderValue') && !assessment.checks[name].passed,
  )
  return broken.length === 0 ? null : broken.map((name) => texts[name]).join('; ')
}

function usedTwice(
  action: OrderAction | QuoteAction,
  trigger: Trigger,
  used: Set<string>,
  readings: ReadonlyMap<string, string>,
): string | null {
  const id = action.kind === 'order' ? action.clientOrderId : action.clientQuoteId
  if (id === null || (readings.get('clientId.duplicate') ?? '409') !== '409') return null
  const key = `${action.kind} ${action.account} ${id}`
  const isSecond = used.has(key)
  used.add(key)
  if (isSecond) return `the account has used the client id "${id}" before`
  return trigger.kind === 'every' ? `the client id "${id}" is used again at each repetition` : null
}

/** What an entry amends or cancels: `order` or `quote`, and its label. */
function targetOf({ action }: TimelineEntry): string | null {
  if (action.kind === 'amend' || action.kind === 'cancel-order') return `order ${action.label}`
  if (action.kind === 'amend-quote' || action.kind === 'cancel-quote') return `quote ${action.label}`
  return null
}

/** Why the target does not exist at that time; null also for labels that several entries or a client's request give. */
function untimely(
  target: string,
  { trigger }: TimelineEntry,
  line: number,
  { makers }: Story,
): string | null {
  const [first, second] = makers.get(target) ?? []
  if (first === undefined || second !== undefined) return null
  const maker = first.entry
  const [made, used] = [instantOf(maker.trigger), instantOf(trigger)]
  const isEarlier = made !== null && used !== null && (used < made || (used === made && line < first.line))
  if (isEarlier)
    return `there is no ${target.replace(' ', ' "')}" yet: it comes later (line ${maker.place.line})`
  const isMarket = maker.action.kind === 'order' && maker.action.type === market
  return isMarket ? `"${target.slice('order '.length)}" is a market order, which never rests` : null
}

const instantOf = (trigger: Trigger): number | null => (trigger.kind === 'at' ? trigger.at : null)
