import { availableOf, lockedOf, pendingOf, totalOf } from '../reference/naive-ledger.ts'
import { interestOn } from '../reference/naive-order-book.ts'
import { computeBasis, computeNaivePosition } from '../reference/naive-positions.ts'
import type { NaiveVenue } from '../reference/naive-venue.ts'
import { accountOf, at, matches } from '../reference/naive-world.ts'
import type { LevelView, VenueView } from './venue-view.ts'

/** The view of the twin (see venue-view.ts). */
export function twinView({ world }: NaiveVenue): VenueView {
  const { isMargin, limits } = {
    isMargin: (account: number) => account >= 3 && accountOf(world, account).type === 'margin',
    limits: (account: number) => accountOf(world, account).limits,
  }
  return {
    now: world.now,
    accountCount: world.accounts.length + 3,
    orders: world.orders.map((order) => ({ ...order })),
    quotes: world.quotes.map(({ bid, ask, ...quote }) => ({
      ...quote,
      bidOrder: bid.row,
      askOrder: ask.row,
    })),
    fills: [...world.fills],
    total: (account, asset) => totalOf(world, account, asset),
    available: (account, asset) => availableOf(world, account, asset),
    locked: (account, asset) => lockedOf(world, account, asset),
    pending: (account, asset) => pendingOf(world, account, asset),
    position: (account, asset) => {
      const position = computeNaivePosition(world, account, asset)
      return { ...position, basis: computeBasis(position, position.quantity) }
    },
    isMargin,
    limits,
    matches: (asset) => matches(world, asset),
    levels: (asset, side) => merged(interestOn(world, asset, side)),
    houseLevels: (asset, side) => {
      const facts = at(world.assets, asset)
      return (side === 0 ? facts.houseBids : facts.houseAsks).filter((level) => level.steps > 0n)
    },
  }
}

function merged(interest: readonly LevelView[]): readonly LevelView[] {
  const levels: LevelView[] = []
  for (const { priceTicks, steps } of interest) {
    const last = levels.at(-1)
    if (last?.priceTicks === priceTicks) levels[levels.length - 1] = { priceTicks, steps: last.steps + steps }
    else levels.push({ priceTicks, steps })
  }
  return levels
}
