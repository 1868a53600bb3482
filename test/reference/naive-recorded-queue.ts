/*
 * Orders in a recorded book, written from the rules (design, section 14; the reference's notes, sections 1.3 to 1.5)
 * with plain maps and lists, and sharing no code with the engine. One asset, accounts without limits, no fees.
 */

export interface NaiveRules {
  readonly law: string
  readonly exponent: number
  readonly stepUnits: number
  readonly fills: 'shown' | 'whole'
  readonly beyond: 'behind' | 'front'
  readonly isLike: boolean
}

export interface NaiveOrder {
  readonly account: number
  readonly side: 0 | 1
  readonly time: number
  ticks: number
  total: number
  filled: number
  status: 'open' | 'filled' | 'cancelled' | 'expired'
  isResting: boolean
  turn: number
  ahead: number
  traded: number
  isBeyond: boolean
}

export interface NaiveFill {
  readonly order: number
  readonly atMillis: number
  readonly ticks: number
  readonly steps: number
  readonly cause: string
}

interface Taken {
  readonly side: 0 | 1
  readonly ticks: number
  steps: number
  shown: number
}

export interface NaiveRow {
  readonly atMillis: number
  readonly kind: number
  readonly side: number
  readonly priceTicks: number
  readonly quantitySteps: number
}

/** Places that are equal to a millionth of a step are equal: then time decides. */
const toMillionths = (ahead: number): number => Math.round(Math.max(0, ahead) * 1e6)

export class NaiveRecordedQueue {
  readonly orders: NaiveOrder[] = []
  readonly fills: NaiveFill[] = []
  now = 0
  private readonly rules: NaiveRules
  /** Quantities by price: bids, asks. */
  private readonly levels = [new Map<number, number>(), new Map<number, number>()] as const
  /** In the reference the best price is remembered, and what is better is out of sight. */
  private readonly best: [number | null, number | null] = [null, null]
  private taken: Taken[] = []
  private turns = 0

  constructor(rules: NaiveRules) {
    this.rules = rules
  }

  /* Rows. */

  workOff({ atMillis, kind, side, priceTicks, quantitySteps }: NaiveRow): void {
    this.now = atMillis
    if (kind === 2) this.trade(side === 0 ? 0 : 1, priceTicks, quantitySteps)
    else if (kind === 3) this.clear(side, priceTicks)
    else this.setLevel(side === 0 ? 0 : 1, priceTicks, quantitySteps)
  }

  /** What the venue does at each step of its grid: the book takes what it crosses. */
  refresh(): void {
    this.hit(0)
    this.hit(1)
  }

  private setLevel(side: 0 | 1, ticks: number, steps: number): void {
    const [levels, others] = side === 0 ? this.levels : [this.levels[1], this.levels[0]]
    const old = levels.get(ticks) ?? 0
    const bestBefore = this.bestOf(side)
    if (Math.round(steps) === 0) levels.delete(ticks)
    else levels.set(ticks, steps)
    if (this.rules.isLike) this.rememberBest(side, ticks, Math.round(steps) > 0)
    else if (Math.round(steps) > 0) {
      for (const other of [...others.keys()])
        if (side === 0 ? other <= ticks : other >= ticks) others.delete(other)
    }
    if (Math.round(steps) > 0)
      this.taken = this.taken.filter((one) => one.side !== side || one.ticks !== ticks || one.shown === steps)
    for (const order of this.restingAt(side, ticks)) this.change(order, old, steps)
    const best = this.bestOf(side)
    const isBetter =
      best !== null && (bestBefore === null || (side === 0 ? best > bestBefore : best < bestBefore))
    if (!this.rules.isLike || isBetter) this.hit(side)
  }

  private rememberBest(side: 0 | 1, ticks: number, isShown: boolean): void {
    const other = side === 0 ? 1 : 0
    const best = this.best[side]
    if (!isShown) {
      if (best === ticks) this.best[side] = this.nextBest(side, ticks)
      return
    }
    if (best === null || (side === 0 ? ticks > best : ticks < best)) this.best[side] = ticks
    const facing = this.best[other]
    if (facing !== null && (side === 0 ? ticks >= facing : ticks <= facing))
      this.best[other] = this.nextBest(other, ticks)
  }

  /** The best level of a side that is worse than a price. */
  private nextBest(side: 0 | 1, ticks: number): number | null {
    const worse = [...this.levels[side].keys()].filter((other) =>
      side === 0 ? other < ticks : other > ticks,
    )
    if (worse.length === 0) return null
    return side === 0 ? Math.max(...worse) : Math.min(...worse)
  }

  private bestOf(side: 0 | 1): number | null {
    if (this.rules.isLike) return this.best[side]
    const all = [...this.levels[side].keys()]
    if (all.length === 0) return null
    return side === 0 ? Math.max(...all) : Math.min(...all)
  }

  private clear(side: number, ticks: number): void {
    for (const ours of [0, 1] as const) {
      if (side !== 2 && side !== ours) continue
      const best = this.bestOf(ours)
      for (const level of [...this.levels[ours].keys()]) {
        const isWhole = ticks === 0 || side === 2
        const isWithin =
          best !== null && (ours === 0 ? level >= ticks && level <= best : level <= ticks && level >= best)
        if (isWhole || isWithin) this.levels[ours].delete(level)
      }
      if (ticks === 0 || side === 2) this.best[ours] = null
      else if (best !== null && (ours === 0 ? best >= ticks : best <= ticks))
        this.best[ours] = this.nextBest(ours, ticks)
    }
  }

  /* Queue. */

  private change(order: NaiveOrder, old: number, next: number): void {
    const { law } = this.rules
    if (order.isBeyond) {
      if (next > 0) {
        order.isBeyond = false
        order.ahead = law === 'front' ? 0 : next
      }
      return
    }
    const gone = old - next - order.traded
    order.traded = 0
    if (law === 'front') return
    if (law === 'riskAverse' || gone < 0) {
      order.ahead = Math.min(order.ahead, next)
      return
    }
    const behind = old - order.ahead
    let share = this.shareBehind(order.ahead, behind)
    if (share === Infinity || share === -Infinity) share = 1
    const beyondBehind = behind - share * gone
    const moved = order.ahead - (1 - share) * gone + Math.min(beyondBehind, 0)
    order.ahead = Number.isNaN(moved) ? next : Math.min(moved, next)
  }

  private shareBehind(ahead: number, behind: number): number {
    const { exponent: n, law, stepUnits } = this.rules
    const power = (base: number): number => {
      if (n % 1 !== 0) return base ** n
      let product = 1
      for (let count = 0; count < n; count += 1) product *= base
      return product
    }
    if (law === 'power') return power(behind) / (power(behind) + power(ahead))
    if (law === 'power2') return power(behind) / power(behind + ahead)
    if (law === 'power3') return 1 - power(ahead / (ahead + behind))
    const b = behind * stepUnits
    const f = ahead * stepUnits
    if (law === 'log') return Math.log(1 + b) / (Math.log(1 + b) + Math.log(1 + f))
    return Math.log(1 + b) / Math.log(1 + b + f)
  }

  private trade(takerSide: 0 | 1, ticks: number, steps: number): void {
    const { fills, isLike, law } = this.rules
    const isWhole = fills === 'whole' || isLike
    const makers = takerSide === 0 ? 1 : 0
    const traded = Math.round(steps)
    let through = 0
    const isThrough = (order: NaiveOrder): boolean =>
      makers === 0 ? order.ticks > ticks : order.ticks < ticks
    for (const order of this.byPriceThenTurn(makers).filter(isThrough)) {
      const given = isWhole
        ? order.total - order.filled
        : Math.min(order.total - order.filled, traded - through)
      if (given <= 0) break
      through += given
      order.ahead = 0
      order.isBeyond = false
      this.fill(order, order.ticks, given, 'through')
    }
    let shared = 0
    for (const order of this.byPriceThenTurn(makers).filter((one) => one.ticks === ticks)) {
      if (order.isBeyond && !this.levels[makers].has(ticks) && !this.isBeyond(makers, ticks)) {
        order.isBeyond = false
        order.ahead = 0
      }
      if (order.isBeyond) continue
      let turn = traded
      if (law !== 'front') {
        order.ahead -= steps
        order.traded += steps
        turn = Math.round(-order.ahead)
        if (turn > 0) order.ahead = 0
      }
      const most = isLike ? turn : Math.min(turn, isWhole ? turn : traded - through) - shared
      const given = Math.min(order.total - order.filled, most)
      if (given <= 0) continue
      shared += given
      this.fill(order, ticks, given, 'turn')
    }
  }

  /** Lets a side of the book take the clients whose prices it has come to. */
  private hit(side: 0 | 1): void {
    const clients = side === 0 ? 1 : 0
    const isWhole = this.rules.fills === 'whole' || this.rules.isLike
    for (;;) {
      const [order] = this.byPriceThenTurn(clients)
      const [level] = this.shown(side)
      if (order === undefined || level === undefined) return
      if (side === 0 ? level.ticks < order.ticks : level.ticks > order.ticks) return
      const left = order.total - order.filled
      const given = isWhole ? left : Math.min(left, level.steps)
      if (!isWhole) this.take(side, level.ticks, given)
      order.ahead = 0
      order.traded = 0
      order.isBeyond = false
      this.fill(order, order.ticks, given, 'crossing')
    }
  }

  /** The levels of a side from which something is left, best first, in whole steps. */
  shown(side: 0 | 1): readonly { readonly ticks: number; readonly steps: number }[] {
    const best = this.bestOf(side)
    return [...this.levels[side]]
      .filter(([ticks]) => best !== null && (side === 0 ? ticks <= best : ticks >= best))
      .sort((left, right) => (side === 0 ? right[0] - left[0] : left[0] - right[0]))
      .map(([ticks, steps]) => ({
        ticks,
        steps: Math.round(steps) - (this.takenAt(side, ticks)?.steps ?? 0),
      }))
      .filter(({ steps }) => steps > 0)
  }

  private takenAt(side: 0 | 1, ticks: number): Taken | undefined {
    return this.taken.find((one) => one.side === side && one.ticks === ticks)
  }

  private take(side: 0 | 1, ticks: number, steps: number): void {
    const shown = this.levels[side].get(ticks) ?? 0
    const known = this.takenAt(side, ticks)
    if (known === undefined) this.taken.push({ side, ticks, steps, shown })
    else {
      known.steps += steps
      known.shown = shown
    }
    if (this.rules.isLike) return
    for (const order of this.restingAt(side, ticks))
      if (order.ahead > 0) order.ahead -= Math.min(order.ahead, steps)
  }

  private isBeyond(side: 0 | 1, ticks: number): boolean {
    const all = [...this.levels[side].keys()]
    return all.every((other) => (side === 0 ? ticks < other : ticks > other))
  }

  /* Orders. */

  place(account: number, side: 0 | 1, ticks: number, steps: number, isImmediate: boolean): number {
    const order: NaiveOrder = {
      account,
      side,
      time: this.orders.length,
      ticks,
      total: steps,
      filled: 0,
      status: 'open',
      isResting: false,
      turn: 0,
      ahead: 0,
      traded: 0,
      isBeyond: false,
    }
    this.orders.push(order)
    this.enter(order, isImmediate)
    return this.orders.length - 1
  }

  cancel(id: number): void {
    const order = this.orders[id]
    if (order === undefined || order.status !== 'open') return
    order.status = 'cancelled'
    order.isResting = false
  }

  amend(id: number, ticks: number, total: number): void {
    const order = this.orders[id]
    if (order === undefined || order.status !== 'open' || total < order.filled) return
    if (ticks === order.ticks && total === order.total) return
    const keeps = ticks === order.ticks && total <= order.total
    order.ticks = ticks
    order.total = total
    if (total === order.filled) {
      order.status = 'filled'
      order.isResting = false
    } else if (!keeps) {
      order.isResting = false
      this.enter(order, false)
    }
  }

  private enter(order: NaiveOrder, isImmediate: boolean): void {
    this.walk(order)
    if (this.rules.isLike) this.taken = []
    if (order.status !== 'open') return
    if (isImmediate) {
      order.status = 'expired'
      return
    }
    this.turns += 1
    order.turn = this.turns
    order.isResting = true
    order.traded = 0
    const { beyond, isLike, law } = this.rules
    const level = this.levels[order.side].get(order.ticks)
    const shown = (level ?? 0) - (this.takenAt(order.side, order.ticks)?.steps ?? 0)
    order.ahead = law === 'front' ? 0 : Math.max(0, shown)
    order.isBeyond =
      law !== 'front' &&
      !isLike &&
      beyond === 'behind' &&
      level === undefined &&
      this.isBeyond(order.side, order.ticks)
  }

  /** Takes from whoever has the best price; at one price what stands before a client's order goes first. */
  private walk(taker: NaiveOrder): void {
    const makers = taker.side === 0 ? 1 : 0
    const limit = this.limitOf(taker)
    for (;;) {
      const left = taker.total - taker.filled
      if (left === 0) return
      const [level] = this.shown(makers)
      const [maker] = this.byPriceThenTurn(makers)
      const reaches = (ticks: number): boolean => (taker.side === 0 ? ticks <= limit : ticks >= limit)
      const isClientBetter =
        maker !== undefined &&
        (level === undefined || (taker.side === 0 ? maker.ticks < level.ticks : maker.ticks > level.ticks))
      const isEqual = maker !== undefined && maker.ticks === level?.ticks
      const before = isEqual ? Math.max(0, Math.round(maker.ahead)) : 0
      if (maker !== undefined && (isClientBetter || (isEqual && before === 0))) {
        if (!reaches(maker.ticks)) return
        if (maker.account === taker.account) {
          taker.status = 'cancelled'
          return
        }
        const given = Math.min(left, maker.total - maker.filled)
        const { ticks } = maker
        this.fill(maker, ticks, given, 'none')
        this.fill(taker, ticks, given, 'none')
        continue
      }
      if (level === undefined || !reaches(level.ticks)) return
      const given = Math.min(left, level.steps, isEqual ? before : left)
      this.take(makers, level.ticks, given)
      this.fill(taker, level.ticks, given, 'none')
    }
  }

  /** A market order's price is 0. */
  private limitOf({ side, ticks }: NaiveOrder): number {
    if (ticks !== 0) return ticks
    const [level] = this.shown(side === 0 ? 1 : 0)
    if (!this.rules.isLike || level === undefined) return side === 0 ? Infinity : 0
    return side === 0 ? level.ticks + 99 : level.ticks - 100
  }

  private fill(order: NaiveOrder, ticks: number, steps: number, cause: string): void {
    order.filled += steps
    this.fills.push({ order: this.orders.indexOf(order), atMillis: this.now, ticks, steps, cause })
    if (order.filled < order.total) return
    order.status = 'filled'
    order.isResting = false
  }

  private restingAt(side: 0 | 1, ticks: number): readonly NaiveOrder[] {
    return this.orders.filter((order) => order.isResting && order.side === side && order.ticks === ticks)
  }

  private byPriceThenTurn(side: 0 | 1): readonly NaiveOrder[] {
    return this.orders
      .filter((order) => order.isResting && order.side === side)
      .sort(
        (left, right) =>
          (side === 0 ? right.ticks - left.ticks : left.ticks - right.ticks) ||
          toMillionths(left.ahead) - toMillionths(right.ahead) ||
          left.turn - right.turn,
      )
  }
}
