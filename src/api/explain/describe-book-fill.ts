import { buy } from '../../engine/codes.ts'
import type { PairConfig } from '../../engine/config.ts'
import type { BookFill } from '../../engine/reports/book-fill.ts'
import type { QueuePlace } from '../../engine/reports/queue-place.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { withCommas } from '../../numeric/units.ts'
import { priceNumber, quantityNumber } from '../answer.ts'
import { amountText } from './describe-wait.ts'

/**
 * Describes why a recorded book filled a resting order, with all that stood ahead of it: `filled by a recorded trade of
 * 0.4 at 14:00:00.123; 1.2 was ahead of it at placing: trades took 0.9, 0.3 left without a trade (riskAverse), 0 left
 * (row 1,234, book.csv.gz line 1,236)`. Quantities are in units of the asset.
 */
export function describeBookFill(fill: BookFill, pair: PairConfig): string {
  const { place, row } = fill
  const from = place === null ? '' : `, ${place.file} line ${withCommas(String(place.line))}`
  return `${describeCause(fill, pair)}; ${describeQueue(fill, pair)} (row ${withCommas(String(row + 1))}${from})`
}

/**
 * Describes where a resting order stands in a recorded book: `0.13 of the 0.76 that stood ahead of it at placing is still
 * ahead (riskAverse)`.
 */
export function describeQueuePlace(place: QueuePlace, pair: PairConfig): string {
  const { aheadSteps, isBeyond, joinedBehindSteps, law } = place
  if (isBeyond) return 'it stands behind what the record will first show at its price'
  const [ahead, joined] = [aheadSteps, joinedBehindSteps].map((steps) =>
    amountText(quantityNumber(pair, steps)),
  )
  if (law === 'front' || aheadSteps === 0) return `nothing is ahead of it at its price (${law})`
  return `${ahead} of the ${joined} that stood ahead of it at placing is still ahead (${law})`
}

function describeCause(fill: BookFill, pair: PairConfig): string {
  const { cause, isTrade, isWhole, rowAtMillis, rowSide, rowSteps, rowTicks } = fill
  const at = `at ${millisToIso(rowAtMillis).slice(11, 23)}`
  const quantity = amountText(quantityNumber(pair, rowSteps))
  const price = amountText(priceNumber(pair, rowTicks))
  const whole = isWhole ? ', and whole, because fills are whole' : ''
  if (cause === 'turn') return `filled by a recorded trade of ${quantity} ${at}`
  if (cause === 'through')
    return `filled by a recorded trade of ${quantity} that went through its price to ${price} ${at}${whole}`
  const level =
    isTrade || rowSteps === 0 ? '' : ` (${rowSide === buy ? 'bid' : 'ask'} of ${quantity} at ${price})`
  return `filled because the other side of the recorded book came to its price${level} ${at}${whole}`
}

function describeQueue(fill: BookFill, pair: PairConfig): string {
  const { joinedBehindSteps, law, leftByLawSteps, takenByTradesSteps } = fill
  if (law === 'front') return 'nothing was ahead of it, by the law front'
  if (joinedBehindSteps === 0) return 'nothing was ahead of it at placing'
  const [joined, taken, left] = [joinedBehindSteps, takenByTradesSteps, leftByLawSteps].map((steps) =>
    amountText(quantityNumber(pair, steps)),
  )
  return `${joined} was ahead of it at placing: trades took ${taken}, ${left} left without a trade (${law}), 0 left`
}
