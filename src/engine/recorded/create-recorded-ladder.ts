import { assert } from '../../numeric/assert.ts'
import type { RestingTable } from '../book/order-book.ts'
import type { LadderContext, LadderVenue } from '../ladder/market-ladder.ts'
import { RecordedLadder } from './recorded-ladder.ts'

/** Creates the recorded book of an asset; null for an asset without one. */
export function createRecordedLadder(
  { assets, config, orders }: LadderVenue & { readonly orders: { readonly resting: RestingTable } },
  asset: number,
  inputs: Pick<LadderContext, 'conditions'>,
): RecordedLadder | null {
  const { liquidity } = assets.config(asset)
  if (liquidity.kind !== 'recorded') return null
  const model = config.market.assets[asset - 1]?.model
  assert(model?.kind === 'book', 'the model of a recorded ladder is its book')
  const { stepUnits } = assets.tradedAsset(asset)
  return new RecordedLadder(model.book, liquidity, stepUnits, inputs, orders.resting)
}
