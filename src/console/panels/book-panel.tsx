import type { View } from '../model/documents.ts'
import { countDecimals, formatFixed, formatNumber } from '../model/format.ts'
import { buildLadder, type Level } from '../model/ladder.ts'
import { Empty, Panel } from '../parts/panel.tsx'
import { useShown } from '../parts/use-console.ts'

/** Panel of the order book as a ladder, asks above bids, with the account's own share of each level. */
export function BookPanel() {
  const { view, asset, others } = useShown()
  if (view.book === null) return null
  const pair = view.pairs.find(({ base }) => base === asset)
  const ladder = buildLadder(view.book, view.orders?.orders ?? [], view.quotes)
  const decimals = { price: countDecimals(pair?.priceStep), quantity: countDecimals(pair?.quantityStep) }
  const isEmpty = ladder.bids.length === 0 && ladder.asks.length === 0
  const other = others?.view?.asset === asset ? others.view.book : null
  const isHalted = pair?.status === 'inactive'
  return (
    <Panel
      title="Order book"
      area="area-book"
      aside={isHalted ? <span class="badge bad">halted</span> : <span class="muted">{pair?.symbol}</span>}
    >
      {isEmpty ? (
        <Empty>Nobody is in the book of {asset}.</Empty>
      ) : (
        <section class="scroll" tabIndex={0} aria-label="Levels of the book">
          <table class="ladder">
            <thead>
              <tr>
                {['Own', 'Quantity', 'Price', other === null ? 'Total' : `In ${others?.world}`].map(
                  (name) => (
                    <th key={name} scope="col" class="number">
                      {name}
                    </th>
                  ),
                )}
              </tr>
            </thead>
            <tbody>
              {[...ladder.asks].reverse().map((level) => (
                <LadderRow key={`a${level.price}`} {...{ level, other }} side="ask" {...decimals} />
              ))}
              <tr class="spread">
                <td colSpan={4}>
                  {ladder.spread === null
                    ? 'one side is empty'
                    : `spread ${formatFixed(ladder.spread, decimals.price)}${basisPoints(ladder.spread, ladder.bids[0]?.price)}`}
                  {other === null ? null : (
                    <>
                      <br />
                      {others?.world}: {formatFixed(other.bids[0]?.price, decimals.price)} /{' '}
                      {formatFixed(other.asks[0]?.price, decimals.price)}
                    </>
                  )}
                </td>
              </tr>
              {ladder.bids.map((level) => (
                <LadderRow key={`b${level.price}`} {...{ level, other }} side="bid" {...decimals} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Panel>
  )
}

interface LadderRowProps {
  readonly level: Level
  readonly side: 'bid' | 'ask'
  /** Book of the world that lies over the shown one; null for none. */
  readonly other: View['book']
  readonly price: number
  readonly quantity: number
}

function LadderRow({ level, side, other, price, quantity }: LadderRowProps) {
  const there = other?.[side === 'bid' ? 'bids' : 'asks'].find((each) => each.price === level.price)
  return (
    <tr
      class={`${side} ${level.own > 0 ? 'own' : ''}`}
      style={{ '--share': `${(level.share * 100).toFixed(1)}%` }}
    >
      <td class="number">{level.own > 0 ? formatNumber(level.own) : ''}</td>
      <td class="number">{formatFixed(level.quantity, quantity)}</td>
      <td class={`number ${side === 'bid' ? 'up' : 'down'}`}>{formatFixed(level.price, price)}</td>
      <td class="number muted">
        {other === null
          ? formatFixed(level.total, Math.min(quantity, 2))
          : there === undefined
            ? '–'
            : formatFixed(there.quantity, quantity)}
      </td>
    </tr>
  )
}

function basisPoints(spread: number, bid: number | undefined): string {
  return bid === undefined || bid <= 0 ? '' : `, ${((spread / bid) * 10_000).toFixed(1)} bps`
}
