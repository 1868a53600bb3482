import type { Conflict, Need } from '../unused-options.ts'

export interface BacktestFlags {
  readonly scenario?: string
  readonly param?: unknown
  readonly data?: string
  readonly model?: string
  readonly volumeIn?: 'asset' | 'usd'
  readonly asset?: string
  readonly price?: string
  readonly cash?: string
  readonly margin?: boolean
  readonly makerBps?: string
  readonly takerBps?: string
  readonly grid?: string
  readonly from?: string
  readonly to?: string
  readonly seed?: string
  readonly set?: unknown
  readonly account?: string
  readonly tick?: string
  readonly equityGrid?: string
  readonly latency?: string
  readonly warmUp?: string
  readonly riskFreeRate?: string
  readonly rateLimits?: boolean
  readonly client?: 'sync' | 'async'
  readonly json?: boolean
  readonly html?: string
  readonly among?: string
  readonly assert?: readonly string[]
  readonly journal?: string
  readonly captureAt?: string
  readonly capture?: string
  readonly resume?: string
  readonly live?: string
  readonly clock?: 'manual' | 'realtime'
  readonly apiKey?: string
  readonly apiSecret?: string
  readonly adminToken?: string
}

/**
 * The defaults of a run: a command that repeats it need not state them, and must not where they count only together
 * with another option.
 */
export const usualOptions: ReadonlyMap<string, string> = new Map([
  ['equityGrid', '1h'],
  ['client', 'sync'],
  ['volumeIn', 'asset'],
  ['clock', 'manual'],
])

/** Options of backtests and sweeps that do nothing without another one. */
export const needsOfRuns: readonly Need[] = [
  { needs: ['data'], options: ['volumeIn'] },
  { needs: ['model'], options: ['price'] },
  {
    needs: ['data', 'model'],
    options: ['asset', 'cash', 'margin', 'makerBps', 'takerBps', 'grid'],
  },
  { needs: ['html'], options: ['among'] },
  { needs: ['capture'], options: ['captureAt'] },
  { needs: ['captureAt'], options: ['capture'] },
  { needs: ['live'], options: ['clock', 'apiKey', 'apiSecret', 'adminToken'] },
]

/** Markets made of --data or --model, and services, have no use for these. */
export const conflictsOfRuns: readonly Conflict[] = [
  { with: 'data', options: ['param'] },
  { with: 'model', options: ['param'] },
  {
    with: 'live',
    options: ['data', 'model', 'param', 'from', 'client', 'rateLimits', 'journal', 'captureAt', 'resume'],
  },
  {
    // All of these are the captured run's own.
    with: 'resume',
    options: [
      ...['scenario', 'param', 'data', 'model', 'seed', 'set', 'from', 'to', 'account', 'tick'],
      ...['equityGrid', 'latency', 'client', 'rateLimits', 'warmUp', 'riskFreeRate'],
    ],
  },
]
