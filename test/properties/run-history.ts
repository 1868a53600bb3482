import type { RecordedEvent } from '../model/recorded-event.ts'
import type { History, VenueView } from './venue-view.ts'
import { keyOf } from './venue-view.ts'

/** Accumulates everything that a venue has emitted. It knows nothing but events. */
export class RunHistory implements History {
  readonly opening = new Map<string, bigint>()
  readonly posted = new Map<string, bigint>()
  readonly reserved = new Map<number, bigint>()
  readonly limits = new Map<number, { low: bigint; high: bigint }>()
  readonly states = new Map<string, string>()
  readonly offences: string[] = []
  readonly edges = new Map<string, number>()

  /** Takes the opening balances from a venue on which nothing has happened yet. */
  constructor(view: VenueView, assetCount: number) {
    for (let account = 0; account < view.accountCount; account += 1) {
      for (let asset = 0; asset < assetCount; asset += 1) {
        const total = view.total(account, asset)
        if (total !== 0n) this.opening.set(keyOf(account, asset), total)
      }
    }
  }

  take(event: RecordedEvent): void {
    const atoms = BigInt(event.first)
    switch (event.name) {
      case 'posted':
        this.add(event.subject, event.asset, -atoms)
        this.add(event.account, event.asset, atoms)
        break
      case 'reserved':
        this.reserve(event.subject, atoms)
        break
      case 'released':
        if (atoms <= 0n) this.offences.push(`released ${atoms} of order ${event.subject}`)
        this.reserve(event.subject, -atoms)
        break
      case 'deposit-pending':
      case 'deposit-settled':
      case 'withdrawal-pending':
      case 'withdrawal-settled':
        this.states.set(`transfer ${event.account}/${event.asset}`, event.name)
        break
      case 'order-accepted':
      case 'order-amended':
        this.widen(event.subject, BigInt(event.second))
        this.move('order', event)
        break
      default:
        if (event.name.startsWith('order-')) this.move('order', event)
        if (event.name.startsWith('quote-')) this.move('quote', event)
    }
  }

  private add(account: number, asset: number, change: bigint): void {
    const key = keyOf(account, asset)
    this.posted.set(key, (this.posted.get(key) ?? 0n) + change)
  }

  private reserve(order: number, change: bigint): void {
    const left = (this.reserved.get(order) ?? 0n) + change
    if (left < 0n) this.offences.push(`order ${order} freed more than it reserved`)
    this.reserved.set(order, left)
  }

  private widen(order: number, priceTicks: bigint): void {
    const known = this.limits.get(order) ?? { low: priceTicks, high: priceTicks }
    this.limits.set(order, {
      low: known.low < priceTicks ? known.low : priceTicks,
      high: known.high > priceTicks ? known.high : priceTicks,
    })
  }

  private move(kind: 'order' | 'quote', event: RecordedEvent): void {
    const key = `${kind} ${event.subject}`
    const edge = `${this.states.get(key) ?? 'nothing'} > ${event.name}`
    if (!allowed(this.states.get(key), event.name)) this.offences.push(`${key}: ${edge}`)
    this.states.set(key, event.name)
    this.edges.set(edge, (this.edges.get(edge) ?? 0) + 1)
  }
}

/** Accepted once and first, or stored as refused; amended, updated and partly filled while live; ended once. */
function allowed(before: string | undefined, name: string): boolean {
  if (name.endsWith('-accepted')) return before === undefined
  if (before === undefined) return name === 'order-rejected'
  return !/-(filled|cancelled|expired|rejected)$/.test(before) || before.endsWith('-partially-filled')
}
