import { Random } from './random.ts'
import type { Workload } from './workload.ts'
import { WorkloadRecorder } from './workload-recorder.ts'

/** 50,000.00 USD in cents, and 0.001 to 0.1 units in steps of 0.0001: what a desk trades. */
const middleTicks = 5_000_000
const quantity = (random: Random): number => 10 * random.between(1, 100)

export type MixName = 'amend' | 'place-cancel' | 'deep'
export const mixNames: readonly MixName[] = ['amend', 'place-cancel', 'deep']

export const mixTitles: { readonly [Name in MixName]: string } = {
  amend: "exchange-core's mix: 9 % GTC, 3 % IOC, 6 % cancel, 82 % move; 1,000 accounts, 1,000 resting",
  'place-cancel': '55 % place, 45 % cancel; 4 books, 64 accounts',
  deep: '60 % limit, 30 % cancel, 10 % market; 100,000 resting in 1,000 levels',
}

/** `scale` shrinks the resting book of the deep mix for a quick run; 1 is the stated size. */
export function makeMix(name: MixName, seed: string, commands: number, scale: number): Workload {
  const random = new Random(seed, name)
  if (name === 'amend') return amendMix(random, commands)
  if (name === 'place-cancel') return placeCancelMix(random, commands)
  return deepMix(random, commands, Math.round(100_000 * scale))
}

/**
 * Most commands re-price a resting order. IOC orders always trade, with a part of the best maker; so does one in four
 * GTC orders. One move in 50 crosses while more than 1,000 orders rest, which keeps the book at that size. About 6 %
 * of the commands trade. Prices are uniform over 850 ticks per side, which makes about 750 levels.
 */
function amendMix(random: Random, commands: number): Workload {
  const target = 1_000
  const recorder = new WorkloadRecorder(random, 1, 1_000)
  const book = recorder.book(0)
  const passive = (side: number): number => {
    const distance = random.between(1, 850)
    if (side === 0) return Math.min(middleTicks - distance, book.best(1, middleTicks + 1) - 1)
    return Math.max(middleTicks + distance, book.best(0, middleTicks - 1) + 1)
  }
  const crossing = (side: number): number => book.best(1 - side, middleTicks)
  while (recorder.restingCount < target) {
    const side = random.below(2)
    recorder.place(0, side, passive(side), quantity(random))
  }
  recorder.startTimed()
  for (let at = 0; at < commands; at += 1) {
    const draw = random.unit()
    const side = random.below(2)
    if (draw < 0.09) {
      const price = random.chance(1 / 4) ? crossing(side) : passive(side)
      recorder.place(0, side, price, quantity(random))
    } else if (draw < 0.12) {
      recorder.immediate(0, side, crossing(side), Math.max(1, Math.floor(book.headSteps(1 - side) / 10)))
    } else if (draw < 0.18) {
      recorder.cancel(recorder.anyResting().order)
    } else {
      const resting = recorder.anyResting()
      const crosses = recorder.restingCount > target && random.chance(1 / 50)
      const price = crosses ? crossing(resting.side) : passive(resting.side)
      // A move to the price that it has is none to the venue, and loses the place in other books.
      const away = resting.side === 0 ? -1 : 1
      const isSame = price === book.resting.get(resting.order)?.priceTicks
      recorder.move(resting.order, isSame ? price + away : price)
    }
  }
  return recorder.finish('amend')
}

/** The book grows by what is neither cancelled nor filled; a tenth of the orders cross, at the best opposite price. */
function placeCancelMix(random: Random, commands: number): Workload {
  const assets = 4
  const recorder = new WorkloadRecorder(random, assets, 64)
  const place = (): void => {
    const asset = random.below(assets)
    const side = random.below(2)
    const opposite = recorder.book(asset).best(1 - side, middleTicks)
    const away = random.chance(0.1) ? 0 : random.between(1, 500)
    recorder.place(asset, side, side === 0 ? opposite - away : opposite + away, quantity(random))
  }
  while (recorder.restingCount < 1_000) place()
  recorder.startTimed()
  for (let at = 0; at < commands; at += 1) {
    if (random.unit() < 0.55 || recorder.restingCount === 0) place()
    else recorder.cancel(recorder.anyResting().order)
  }
  return recorder.finish('place-cancel')
}

/**
 * Distances from the best opposite price are 500 u^2 ticks: the first tick holds a twentieth of a side. Market orders
 * take two makers on average, which with the cancels balances the limits; they lean towards the middle price, so
 * that the book stays where it is.
 */
function deepMix(random: Random, commands: number, target: number): Workload {
  const recorder = new WorkloadRecorder(random, 1, 1_000)
  const book = recorder.book(0)
  const limit = (crosses: boolean): void => {
    const side = random.below(2)
    const opposite = book.best(1 - side, side === 0 ? middleTicks + 1 : middleTicks)
    const away = crosses ? 0 : 1 + Math.floor(500 * random.unit() ** 2)
    recorder.place(0, side, side === 0 ? opposite - away : opposite + away, quantity(random))
  }
  while (recorder.restingCount < target) limit(false)
  recorder.startTimed()
  for (let at = 0; at < commands; at += 1) {
    const draw = random.unit()
    if (draw < 0.6) {
      limit(random.chance(0.05))
    } else if (draw < 0.9) {
      recorder.cancel(recorder.anyResting().order)
    } else {
      const isHigh = book.best(0, middleTicks) > middleTicks
      const side = random.chance(0.6) === isHigh ? 1 : 0
      recorder.market(0, side, 10 * random.between(1, 260))
    }
  }
  return recorder.finish('deep')
}
