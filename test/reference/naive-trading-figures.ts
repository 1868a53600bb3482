import type { FillRecord } from '../../src/metrics/records.ts'
import type { History } from '../metrics/histories.ts'
import { autocorr, type Figures, type List, mean, pearson, std, total } from './naive-figures.ts'

/*
 * The figures of trading, told again with lists: activity, trips, costs, making, attribution. Intervals are left out: they
 * are random, and have tests of their coverage.
 */

const divide = (dividend: number, divisor: number): number | null =>
  divisor === 0 ? null : dividend / divisor
const signOf = ({ side }: FillRecord): number => (side === 'buy' ? 1 : -1)
const furthest = (values: List): number | null =>
  values.length === 0
    ? null
    : values.reduce((far, value) => (Math.abs(value) > Math.abs(far) ? value : far), 0)

/** What a purchase or sale adds to what is held. */
const received = (fill: FillRecord): number =>
  fill.side === 'sell' ? -fill.quantity : fill.quantity - (fill.feeCurrency === fill.asset ? fill.fee : 0)

export function naiveTradingFigures(history: History): Figures {
  return {
    ...describeActivity(history),
    ...describeTrips(history),
    ...describeCosts(history),
    ...describeMaking(history),
    ...describeProfit(history),
  }
}

function describeActivity({ fills, grid, orders }: History): Figures {
  const days = (Number(grid.atMillis.at(-1)) - Number(grid.atMillis[0])) / 86_400_000
  const equity = [...grid.equity]
  const values = equity.map((_, at) =>
    grid.assets.map(({ position, price }) => Number(position[at]) * Number(price[at])),
  )
  const gross = values.map((own) => total(own.map(Math.abs)))
  const net = values.map(total)
  const leverage = gross.flatMap((size, at) => (Number(equity[at]) > 0 ? [size / Number(equity[at])] : []))
  const volume = total(fills.map(({ value }) => value))
  return {
    'activity.orders': orders.length,
    'activity.fills': fills.length,
    'activity.volume': volume,
    'activity.turnoverPerDay': mean(equity) > 0 && days > 0 ? volume / mean(equity) / days : null,
    'activity.exposureTime': gross.filter((size) => size > 0).length / gross.length,
    'activity.grossMean': mean(gross),
    'activity.grossMaximum': furthest(gross),
    'activity.netMean': mean(net),
    'activity.netMaximum': furthest(net),
    'activity.leverageMean': leverage.length === 0 ? null : mean(leverage),
    'activity.leverageMaximum': furthest(leverage),
  }
}

/** A purchase, or short sale, of which some is still open. */
interface Purchase {
  quantity: number
  cost: number
  fees: number
  readonly atMillis: number
}

interface NaiveTrip {
  readonly key: string
  readonly gain: number
  readonly fees: number
  readonly held: number
}

/** Average cost: whatever is closed takes the same share of every purchase that is open. */
function walkPositions({ fills, grid, transfers }: History) {
  const changes = [
    ...transfers.map((one) => ({ ...one, fill: null, change: one.quantity, order: 0 })),
    ...fills.map((fill) => ({ ...fill, fill, change: received(fill), order: 1 })),
  ].sort((left, right) => left.atMillis - right.atMillis || left.order - right.order)
  const open = new Map<string, { sign: number; purchases: Purchase[] }>()
  for (const { asset, position, price } of grid.assets) {
    const held = Number(position[0])
    const purchases =
      held === 0
        ? []
        : [
            {
              quantity: Math.abs(held),
              cost: Math.abs(held) * Number(price[0]),
              fees: 0,
              atMillis: Number(grid.atMillis[0]),
            },
          ]
    open.set(asset, { sign: Math.sign(held), purchases })
  }
  const trips: NaiveTrip[] = []
  let before = ''
  for (const { asset, atMillis, change, fill, value } of changes) {
    const own = open.get(asset) ?? { sign: 0, purchases: [] }
    open.set(asset, own)
    const held = total(own.purchases.map(({ quantity }) => quantity))
    const fees = fill === null || fill.feeCurrency === asset ? 0 : fill.feeUsd
    const size = Math.abs(change)
    const isClosing = held > 0 && Math.sign(change) !== own.sign
    const key = isClosing && fill !== null ? `${atMillis} ${fill.orderId} ${fill.quoteId} ${fill.side}` : ''
    const closing = isClosing ? Math.min(held, size) : 0
    if (isClosing) {
      const share = closing / held
      const cost = total(own.purchases.map((one) => one.cost)) * share
      const proceeds = Math.abs(value) * (closing / size)
      const paid = total(own.purchases.map((one) => one.fees)) * share
      const age = atMillis - total(own.purchases.map((one) => one.atMillis * one.quantity)) / held
      const gain = own.sign * (proceeds - cost)
      const trip = {
        key,
        gain: Math.abs(gain) < 1e-11 * Math.abs(value) ? 0 : gain,
        fees: paid + fees * (closing / size),
        held: age,
      }
      const earlier = key !== '' && key === before ? trips.pop() : undefined
      if (fill !== null)
        trips.push({
          ...trip,
          gain: trip.gain + (earlier?.gain ?? 0),
          fees: trip.fees + (earlier?.fees ?? 0),
        })
      own.purchases = own.purchases.map((one) => ({
        ...one,
        quantity: one.quantity * (1 - share),
        cost: one.cost * (1 - share),
        fees: one.fees * (1 - share),
      }))
      if (held - closing < 1e-9) own.purchases = []
    }
    const rest = size - closing
    if (rest > 1e-9) {
      own.sign = Math.sign(change)
      own.purchases.push({
        quantity: rest,
        cost: Math.abs(value) * (rest / size),
        fees: fees * (rest / size),
        atMillis,
      })
    }
    before = key
  }
  return { trips, open }
}

function describeTrips(history: History): Figures {
  const { open, trips } = walkPositions(history)
  const ratios = (results: List, prefix: '' | 'net'): Figures => {
    const name = (text: string): string =>
      `trips.${prefix === '' ? text : `net${text.charAt(0).toUpperCase()}${text.slice(1)}`}`
    const [won, lost] = [results.filter((one) => one > 0), results.filter((one) => one < 0)]
    return {
      [name('hitRate')]: divide(won.length, won.length + lost.length),
      [name('profitFactor')]: divide(total(won), -total(lost)),
      [name('expectancy')]: divide(total(results), results.length),
      [name('payoff')]: lost.length === 0 ? null : (won.length === 0 ? 0 : mean(won)) / -mean(lost),
    }
  }
  const gross = trips.map(({ gain }) => gain)
  const runs = gross.map((_, at) => {
    const ends = gross.slice(at).findIndex((gain) => gain >= 0)
    return ends === -1 ? gross.length - at : ends
  })
  const traded = new Set(history.fills.map(({ asset }) => asset))
  const figures: Figures = {
    'trips.count': trips.length,
    'trips.wins': gross.filter((gain) => gain > 0).length,
    'trips.losses': gross.filter((gain) => gain < 0).length,
    'trips.zeros': gross.filter((gain) => gain === 0).length,
    ...ratios(gross, ''),
    ...ratios(
      trips.map(({ fees, gain }) => gain - fees),
      'net',
    ),
    'trips.meanHoldMillis': divide(total(trips.map(({ held }) => held)), trips.length),
    'trips.longestLosingRun': Math.max(0, ...runs),
    'trips.realized': total(gross),
    'trips.netRealized': total(trips.map(({ fees, gain }) => gain - fees)),
    'trips.openLots': 0,
    'trips.unrealized': 0,
    'trips.netUnrealized': 0,
  }
  for (const { asset, price } of history.grid.assets) {
    const { purchases, sign } = open.get(asset) ?? { purchases: [], sign: 0 }
    const quantity = total(purchases.map((one) => one.quantity))
    if (!traded.has(asset) || quantity < 1e-9) continue
    const cost = total(purchases.map((one) => one.cost))
    const unrealized = sign * (quantity * Number(price.at(-1)) - cost)
    const net = unrealized - total(purchases.map((one) => one.fees))
    figures[`trips.open.${asset}.quantity`] = sign * quantity
    figures[`trips.open.${asset}.averageCost`] = cost / quantity
    figures[`trips.open.${asset}.unrealized`] = unrealized
    figures[`trips.open.${asset}.netUnrealized`] = net
    figures['trips.openLots'] = Number(figures['trips.openLots']) + 1
    figures['trips.unrealized'] = Number(figures['trips.unrealized']) + unrealized
    figures['trips.netUnrealized'] = Number(figures['trips.netUnrealized']) + net
  }
  return figures
}

function describeCosts({ fills, grid, orders }: History): Figures {
  const fees = (own: readonly FillRecord[]): number => total(own.map(({ feeUsd }) => feeUsd))
  const slippage = (own: readonly FillRecord[]): number | null => {
    const known = own.filter(({ arrivalMid }) => arrivalMid !== null)
    return divide(
      total(
        known.map((fill) => 1e4 * signOf(fill) * (fill.price / Number(fill.arrivalMid) - 1) * fill.value),
      ),
      total(known.map(({ value }) => value)),
    )
  }
  const figures: Figures = {
    'costs.fees': fees(fills),
    'costs.makerFees': fees(fills.filter(({ isMaker }) => isMaker)),
    'costs.takerFees': fees(fills.filter(({ isMaker }) => !isMaker)),
    'costs.slippageBps': slippage(fills),
    ...describeShortfall({ fills, grid, orders }),
    'costs.versusTwapBps': compare(fills, (own) => {
      const column = grid.assets.find(({ asset }) => asset === own[0]?.asset)
      const within = [...grid.atMillis.entries()]
        .filter(([, at]) => at >= Number(own[0]?.atMillis) && at <= Number(own.at(-1)?.atMillis))
        .map(([place]) => Number(column?.price[place]))
      return within.length < 2 ? null : mean(within)
    }),
    'costs.versusVwapBps': compare(fills, (own) => {
      const [first, last] = [own[0]?.tradedBefore ?? null, own.at(-1)?.tradedBefore ?? null]
      if (first === null || last === null) return null
      return (
        (last.value - first.value + Number(own.at(-1)?.value)) /
        (last.quantity - first.quantity + Number(own.at(-1)?.quantity))
      )
    }),
  }
  for (const asset of new Set(fills.map((fill) => fill.asset))) {
    const own = fills.filter((fill) => fill.asset === asset)
    figures[`costs.byAsset.${asset}.makerFees`] = fees(own.filter(({ isMaker }) => isMaker))
    figures[`costs.byAsset.${asset}.takerFees`] = fees(own.filter(({ isMaker }) => !isMaker))
    figures[`costs.byAsset.${asset}.slippageBps`] = slippage(own)
  }
  return figures
}

/** Perold, "The implementation shortfall" (1988): paper at the decision's price less what was done and left undone */
function describeShortfall({ fills, grid, orders }: Pick<History, 'fills' | 'grid' | 'orders'>): Figures {
  const parts = { delay: 0, spread: 0, impact: 0, opportunity: 0, fees: 0, total: 0 }
  for (const order of orders) {
    const own = fills.filter(({ orderId }) => orderId === order.orderId)
    const rests = order.type === 'limit' && order.timeInForce === 'GTC'
    if (rests && !own.some(({ isMaker }) => isMaker === false)) continue
    const { arrivalMid, decisionMid } = order
    if (arrivalMid === null || decisionMid === null) continue
    const sign = order.side === 'buy' ? 1 : -1
    const column = grid.assets.find(({ asset }) => asset === order.asset)
    const undone =
      sign * (Number(column?.price.at(-1)) - decisionMid) * (order.quantity - order.filledQuantity)
    parts.opportunity += undone
    const done = total(own.map(({ price, quantity }) => sign * (price - decisionMid) * quantity))
    parts.delay += total(own.map(({ quantity }) => sign * (arrivalMid - decisionMid) * quantity))
    parts.spread += total(
      own.map(({ mid, price, quantity }) => sign * (price - (mid ?? arrivalMid)) * quantity),
    )
    parts.impact += total(
      own.map(({ mid, quantity }) => sign * ((mid ?? arrivalMid) - arrivalMid) * quantity),
    )
    parts.fees += total(own.map(({ feeUsd }) => feeUsd))
    parts.total += done + undone + total(own.map(({ feeUsd }) => feeUsd))
  }
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [`costs.shortfall.${name}`, value]))
}

function compare(
  fills: readonly FillRecord[],
  priceOf: (own: readonly FillRecord[]) => number | null,
): number | null {
  const keys = [...new Set(fills.map(({ asset, side }) => `${asset} ${side}`))]
  const rows = keys.flatMap((key) => {
    const own = fills.filter(({ asset, side }) => `${asset} ${side}` === key)
    const price = priceOf(own)
    const [value, quantity] = [total(own.map((one) => one.value)), total(own.map((one) => one.quantity))]
    const sign = own[0]?.side === 'buy' ? 1 : -1
    return price === null ? [] : [{ value, bps: 1e4 * sign * (value / quantity / price - 1) }]
  })
  return divide(total(rows.map(({ bps, value }) => bps * value)), total(rows.map(({ value }) => value)))
}

const horizons = [0, 1_000, 5_000, 30_000, 60_000, 300_000, 3_600_000]

function describeMaking(history: History): Figures {
  const { cancels, fills, orders, quotes, quoting } = history
  const made = fills.filter(({ isMaker }) => isMaker)
  const average = (own: readonly FillRecord[], midOf: (fill: FillRecord) => number | null): number | null => {
    const known = own.filter((fill) => midOf(fill) !== null)
    return divide(
      total(
        known.map(
          (fill) => ((1e4 * signOf(fill) * (Number(midOf(fill)) - fill.price)) / fill.price) * fill.value,
        ),
      ),
      total(known.map(({ value }) => value)),
    )
  }
  const offers = [
    ...[...orders]
      .filter(({ timeInForce, type }) => type === 'limit' && timeInForce === 'GTC')
      .map(({ filledQuantity, price, quantity }) => ({
        size: quantity,
        filled: filledQuantity,
        price: Number(price),
      })),
    ...[...quotes].map((one) => ({ size: one.bidSize, filled: one.bidFilled, price: one.bidPrice })),
    ...[...quotes].map((one) => ({ size: one.askSize, filled: one.askFilled, price: one.askPrice })),
  ].filter(({ price, size }) => size * price > 0)
  const figures: Figures = {
    'maker.fills': made.length,
    'maker.volume': total(made.map(({ value }) => value)),
    'maker.spreadBps': average(made, ({ mid }) => mid),
    'maker.fillRatioByCount': divide(offers.filter(({ filled }) => filled > 0).length, offers.length),
    'maker.fillRatioByQuantity': divide(
      total(offers.map(({ filled, price }) => filled * price)),
      total(offers.map(({ price, size }) => size * price)),
    ),
    'maker.fillsPerHourAtTouch':
      quoting === null ? null : divide(made.length, quoting.atTouchMillis / 3_600_000),
    'maker.timeAtTouch': quoting === null ? null : divide(quoting.atTouchMillis, quoting.observedMillis),
    'maker.cancelsPerFill': divide(cancels, fills.length),
    'maker.requests': history.requests,
    'maker.rateLimited': history.rateLimited,
  }
  for (const [place, horizon] of horizons.entries()) {
    const known = made.filter(({ midAfter }) => (midAfter[place] ?? null) !== null)
    const bps = average(known, ({ midAfter }) => midAfter[place] ?? null)
    const capture = average(known, ({ mid }) => mid)
    figures[`maker.markouts.${horizon}.horizonMillis`] = horizon
    figures[`maker.markouts.${horizon}.fills`] = known.length
    figures[`maker.markouts.${horizon}.bps`] = bps
    figures[`maker.markouts.${horizon}.adverseBps`] = capture === null ? null : capture - Number(bps)
  }
  for (const { millis, withinBps } of quoting?.twoSided ?? []) {
    figures[`maker.uptime.${withinBps}.withinBps`] = withinBps
    figures[`maker.uptime.${withinBps}.share`] = divide(millis, Number(quoting?.observedMillis))
  }
  return { ...figures, ...describeInventory(history) }
}

function describeInventory({ grid }: History): Figures {
  const figures: Figures = {}
  for (const { asset, position, price } of grid.assets) {
    const held = [...position].map((one) => one - Number(position[0]))
    const largest = Math.max(...held.map(Math.abs))
    if (largest === 0) continue
    const rho = held.length >= 3 ? autocorr(held) : null
    const next = [...price].slice(1).map((one, at) => one / Number(price[at]) - 1)
    const now = held.slice(0, -1)
    const isFlat = (values: List): boolean => values.every((value) => value === values[0])
    const name = `maker.inventory.${asset}`
    figures[`${name}.mean`] = mean(held)
    figures[`${name}.deviation`] = held.length < 2 ? null : std(held)
    figures[`${name}.maximum`] = largest
    figures[`${name}.halfLifeMillis`] =
      rho === null || rho <= 0 ? null : (grid.stepMillis * Math.log(0.5)) / Math.log(rho)
    figures[`${name}.timeAtLimit`] =
      held.filter((one) => Math.abs(one) >= 0.95 * largest).length / held.length
    figures[`${name}.futureReturn`] =
      now.length < 3 || isFlat(now) || isFlat(next) ? null : pearson(now, next)
  }
  return figures
}

/** The profit is what the equity gained beyond what came in; the inventory's part is what fills and fees do not explain. */
function describeProfit({ fills, grid, transfers }: History): Figures {
  const profit =
    Number(grid.equity.at(-1)) - Number(grid.equity[0]) - total(transfers.map(({ value }) => value))
  const spread = total(fills.map((fill) => ((fill.mid ?? fill.price) - fill.price) * received(fill)))
  const fees = -total(fills.map(({ feeUsd }) => feeUsd))
  const inventory = total(
    grid.assets.map(({ asset, position, price }) => {
      const gained = Number(position.at(-1)) * Number(price.at(-1)) - Number(position[0]) * Number(price[0])
      const bought = fills.filter((fill) => fill.asset === asset)
      const moved = transfers.filter((one) => one.asset === asset)
      return (
        gained -
        total(bought.map((fill) => received(fill) * (fill.mid ?? fill.price))) -
        total(moved.map(({ value }) => value))
      )
    }),
  )
  return {
    'attribution.spread': spread,
    'attribution.inventory': inventory,
    'attribution.fees': fees,
    'attribution.profit': profit,
    'attribution.remainder': profit - spread - inventory - fees,
  }
}
