import type { Balance, Position } from '../../client/venue-types.ts'
import type { View } from '../model/documents.ts'
import { formatNumber, formatPercent, formatSigned, formatUsd } from '../model/format.ts'
import { Button } from '../parts/form.tsx'
import { Empty, Figures, Panel } from '../parts/panel.tsx'
import { type Column, Gain, numberColumn, Side, Table } from '../parts/table.tsx'
import { useShown } from '../parts/use-console.ts'
import { Later } from './later.tsx'

/** Returns the decimals of an asset's amounts: 2 for USD, because more would only widen the column. */
const findDecimals = (asset: string): number => (asset === 'USD' ? 2 : 8)

const balanceColumns: readonly Column<Balance>[] = [
  { name: 'Asset', cell: ({ asset }) => asset },
  numberColumn('Available', ({ asset, available }) => formatNumber(available, findDecimals(asset))),
  numberColumn('Locked', ({ asset, locked }) => formatNumber(locked, findDecimals(asset))),
  numberColumn('Pending', ({ asset, pendingDeposit, pendingWithdrawal }) =>
    formatNumber(pendingDeposit - pendingWithdrawal, findDecimals(asset)),
  ),
  numberColumn('USD', ({ usdValue }) => formatUsd(usdValue)),
]

const positionColumns: readonly Column<Position>[] = [
  { name: 'Position', cell: ({ asset, side }) => <Side side={side}>{asset}</Side> },
  numberColumn('Quantity', ({ quantity }) => formatNumber(quantity)),
  numberColumn('Entry', ({ averageEntryPrice }) => formatNumber(averageEntryPrice, 4)),
  numberColumn('Open P&L', ({ unrealizedPnl }) => (
    <Gain value={unrealizedPnl} text={formatSigned(unrealizedPnl)} />
  )),
  numberColumn('Realised', ({ realizedPnl }) => (
    <Gain value={realizedPnl} text={formatSigned(realizedPnl)} />
  )),
]

export function AccountPanel() {
  const { account, view, others } = useShown()
  const { summary, balances, positions } = view
  return (
    <Panel title="Portfolio" aside={<span class="muted">{account}</span>}>
      {summary === null ? (
        <Empty>This world has no account.</Empty>
      ) : (
        <>
          <Figures
            of={[
              ['Value', formatUsd(summary.totalValue)],
              ['P&L', <Gain key="all" value={summary.totalPnl} text={formatSigned(summary.totalPnl)} />],
              ['Today', <Gain key="day" value={summary.dayPnl} text={formatSigned(summary.dayPnl)} />],
              ['Buying power', formatUsd(summary.buyingPower)],
            ]}
          />
          {others === null ? null : <Later name="EquityOverlay" />}
          <Table label="Balances" columns={balanceColumns} rows={balances} keyOf={({ asset }) => asset} />
          {positions.length === 0 ? null : (
            <Table
              label="Positions"
              columns={positionColumns}
              rows={positions}
              keyOf={({ asset }) => asset}
            />
          )}
        </>
      )}
    </Panel>
  )
}

export function AccountsPanel() {
  const { session, account, view } = useShown()
  const columns: readonly Column<View['accounts'][number]>[] = [
    {
      name: 'Account',
      cell: ({ id }) => (
        <Button class="quiet" aria-pressed={id === account} onClick={() => session.show({ account: id })}>
          {id}
        </Button>
      ),
    },
    { name: 'Type', cell: ({ type }) => type },
    numberColumn('Orders', ({ openOrders }) => formatNumber(openOrders)),
    numberColumn('Quotes', ({ liveQuotes: quotes }) => formatNumber(quotes)),
  ]
  return <Table label="Accounts" columns={columns} rows={view.accounts} keyOf={({ id }) => id} />
}

export function RiskPanel() {
  const { view } = useShown()
  const use = view.utilization
  if (use === null) return null
  const { exposure, dailyVolume, openOrders } = use.utilization
  const rows = [
    createMeter('Exposure', exposure, formatUsd),
    createMeter('Daily volume', dailyVolume, formatUsd),
    createMeter('Open orders', openOrders, formatNumber),
    ...Object.entries(use.byAsset).flatMap(([asset, own]) => [
      createMeter(`${asset} exposure`, own.exposure, formatUsd),
      createMeter(`${asset} orders`, own.openOrders, formatNumber),
    ]),
  ].filter(({ share }, index) => index < 3 || share > 0)
  const leverage = view.exposure?.leverage
  return (
    <Panel
      title="Risk limits"
      aside={
        <span class="muted">
          leverage {formatNumber(leverage, 2)} of {formatNumber(view.limits?.maxLeverage, 2)}
        </span>
      }
    >
      <div class="meters">
        {rows.map((row) => (
          <Meter key={row.name} {...row} />
        ))}
      </div>
      {use.breachedLimits.length === 0 ? null : (
        <p class="warning">
          {use.breachedLimits
            .map(
              ({ type, asset, utilizationPercent }) =>
                `${type} ${asset ?? ''} ${formatPercent(utilizationPercent)}`,
            )
            .join(', ')}
        </p>
      )}
    </Panel>
  )
}

const createMeter = (
  name: string,
  {
    used,
    limit,
    percent: share,
  }: { readonly used: number; readonly limit: number; readonly percent: number },
  text: (value: number) => string,
) => ({ name, used: text(used), limit: text(limit), share })

/** Panel of the rate limits: what each key may still send in its window. */
export function RatePanel() {
  const { session, view, moment, isRecording } = useShown()
  const limits = view.rateLimits
  const window = limits.windowMs === 1000 ? 's' : `${limits.windowMs} ms`
  const keys = limits.keys ?? []
  return (
    <div class="rate-limits">
      <p class="row">
        {limits.enabled
          ? `${limits.marketData} market data, ${limits.other} other a ${window}`
          : 'No limits at present'}
        {isRecording ? null : (
          <Button
            disabled={moment !== null}
            onClick={() => session.act('PUT', '/rate-limits', { enabled: !limits.enabled })}
          >
            {limits.enabled ? 'Switch off' : 'Switch on'}
          </Button>
        )}
      </p>
      {limits.keys === null ? (
        <Empty>Only the present counts requests.</Empty>
      ) : (
        <div class="meters rates">
          {keys.flatMap(({ apiKey, account, marketData, other }) =>
            [
              { kind: 'data', ...marketData },
              { kind: 'other', ...other },
            ].map(({ kind, limit, remaining }) => (
              <Meter
                key={`${apiKey} ${kind}`}
                name={`${account}: ${kind}`}
                used={String(limit - remaining)}
                limit={String(limit)}
                share={limit === 0 ? 100 : ((limit - remaining) / limit) * 100}
              />
            )),
          )}
        </div>
      )}
    </div>
  )
}

interface MeterProps {
  readonly name: string
  readonly used: string
  readonly limit: string
  /** Used share of the limit in per cent. */
  readonly share: number
}

function Meter({ name, used, limit, share }: MeterProps) {
  const width = Math.max(0, Math.min(100, share))
  const level = share >= 100 ? 'full' : share >= 80 ? 'near' : ''
  return (
    <div class={`meter ${level}`}>
      <span class="name">{name}</span>
      <span class="amount">
        {used} <small>of {limit}</small>
      </span>
      <meter
        class="hidden"
        aria-label={name}
        min={0}
        max={100}
        value={width}
        aria-valuetext={`${used} of ${limit}`}
      />
      <div class="track" title={formatPercent(share)} aria-hidden="true">
        <div class="fill" style={{ width: `${width}%` }} />
      </div>
    </div>
  )
}
