import { countDecimals, formatFixed, formatNumber, formatPercent } from '../model/format.ts'
import { Button } from '../parts/form.tsx'
import { Figures, Panel } from '../parts/panel.tsx'
import { useShown } from '../parts/use-console.ts'
import { Chart } from './chart.tsx'

/** Panel of the market: the assets, the present of the one that is shown, and its chart. */
export function PricesPanel() {
  const { view, asset } = useShown()
  const price = view.prices.find((candidate) => candidate.asset === asset)
  const pair = view.pairs.find(({ base }) => base === asset)
  const decimals = countDecimals(pair?.priceStep)
  return (
    <Panel title="Market" area="area-chart" aside={<AssetChoice />}>
      {price === undefined ? null : (
        <section class="present" tabIndex={0} aria-label={`The present of ${asset}`}>
          <strong class="last-price">{formatFixed(price.mid, decimals)}</strong>
          <Figures
            of={[
              ['Bid', formatFixed(price.bid, decimals)],
              ['Ask', formatFixed(price.ask, decimals)],
              ['Last', formatFixed(price.last, decimals)],
              ['24 h', `${formatFixed(price.low24h, decimals)}–${formatFixed(price.high24h, decimals)}`],
              ['Volume', formatNumber(price.volume24h, 2)],
            ]}
          />
        </section>
      )}
      <Chart decimals={decimals} />
    </Panel>
  )
}

function AssetChoice() {
  const { session, view, asset } = useShown()
  return (
    <fieldset class="assets">
      <legend class="hidden">Asset</legend>
      {view.prices.map((row) => (
        <Button
          key={row.asset}
          aria-pressed={row.asset === asset}
          onClick={() => session.show({ asset: row.asset })}
        >
          <strong>{row.asset}</strong>{' '}
          {formatFixed(row.mid, countDecimals(view.pairs.find(({ base }) => base === row.asset)?.priceStep))}
          <small class={row.change24h < 0 ? 'down' : row.change24h > 0 ? 'up' : ''}>
            <span aria-hidden="true">{row.change24h < 0 ? '▼' : row.change24h > 0 ? '▲' : '='}</span>
            {formatPercent(Math.abs(row.change24h))}
          </small>
        </Button>
      ))}
    </fieldset>
  )
}
