import { countDecimals, formatFixed, formatNumber, formatPercent } from '../model/format.ts'
import { Button } from '../parts/form.tsx'
import { Figures, Panel } from '../parts/panel.tsx'
import { useShown } from '../parts/use-console.ts'
import { Chart } from './chart.tsx'

export function PricesPanel() {
  const { session, view, asset } = useShown()
  const price = view.prices.find((candidate) => candidate.asset === asset)
  const pair = view.pairs.find(({ base }) => base === asset)
  const decimals = countDecimals(pair?.priceStep)
  return (
    <Panel title="Market" area="area-chart">
      <fieldset class="assets">
        <legend class="hidden">Asset</legend>
        {view.prices.map((row) => (
          <Button
            key={row.asset}
            aria-pressed={row.asset === asset}
            onClick={() => session.show({ asset: row.asset })}
          >
            <strong>{row.asset}</strong>{' '}
            {formatFixed(
              row.mid,
              countDecimals(view.pairs.find(({ base }) => base === row.asset)?.priceStep),
            )}
            <small class={row.change24h < 0 ? 'down' : row.change24h > 0 ? 'up' : ''}>
              <span aria-hidden="true">{row.change24h < 0 ? '▼' : row.change24h > 0 ? '▲' : '='}</span>
              {formatPercent(Math.abs(row.change24h))}
            </small>
          </Button>
        ))}
      </fieldset>
      {price === undefined ? null : (
        <Figures
          of={[
            ['Bid', formatFixed(price.bid, decimals)],
            ['Ask', formatFixed(price.ask, decimals)],
            ['Last', formatFixed(price.last, decimals)],
            ['High 24 h', formatFixed(price.high24h, decimals)],
            ['Low 24 h', formatFixed(price.low24h, decimals)],
            ['Volume 24 h', formatNumber(price.volume24h, 2)],
          ]}
        />
      )}
      <Chart decimals={decimals} />
    </Panel>
  )
}
