import type { TestFailure } from '../../api/admin-answers.ts'
import type { Span } from './chart-data.ts'
import type {
  AccountKeys,
  Advance,
  HistoryEntry,
  HistoryPrices,
  RequestRow,
  Snapshot,
  View,
  WorldMoment,
} from './documents.ts'
import type { PastMoment } from './timeline.ts'

/** The page's connection to its server. `guarded`: the server asks for the admin token. */
export type Connection = 'connecting' | 'live' | 'lost' | 'guarded'

export interface ConsoleState {
  readonly connection: Connection
  readonly version: string
  /** Whether the page stands alone, with what a server answered before. */
  readonly isRecording: boolean
  readonly worlds: readonly string[]
  readonly world: string
  readonly account: string
  readonly asset: string
  /** Where in the past the page stands; null: at the present. */
  readonly moment: WorldMoment | null
  readonly view: View | null
  readonly live: WorldMoment | null
  /** The advance that is under way, during which the world answers nothing; null when there is none. */
  readonly advancing: Advance | null
  /** As they were asked for. */
  readonly prices: (HistoryPrices & { readonly account: string; readonly span: Span | null }) | null
  /** The part of the time that chart and strip show; null: all of it. */
  readonly span: Span | null
  readonly begins: WorldMoment | null
  readonly items: readonly HistoryEntry[]
  readonly moments: readonly PastMoment[]
  readonly isPastWhole: boolean
  readonly requests: readonly RequestRow[]
  readonly snapshots: readonly Snapshot[]
  readonly keys: readonly AccountKeys[]
  readonly failure: TestFailure | null
  readonly inspected: number | null
  readonly message: { readonly text: string; readonly isBad: boolean } | null
}

/** What is gathered piece by piece, each from where the one before has ended. */
export const emptyHistory = {
  begins: null,
  items: [],
  moments: [],
  isPastWhole: false,
  requests: [],
  inspected: null,
} satisfies Partial<ConsoleState>

/** The part of the state that belongs to a world, and goes when another world is chosen. */
const emptyWorld = {
  ...emptyHistory,
  view: null,
  live: null,
  advancing: null,
  prices: null,
  span: null,
  snapshots: [],
  keys: [],
  failure: null,
} satisfies Partial<ConsoleState>

/** The present of another world, of which nothing is known yet. */
export const createWorldState = (world: string): Partial<ConsoleState> => ({
  ...emptyWorld,
  world,
  account: '',
  asset: '',
  moment: null,
})

export const initialState: ConsoleState = {
  connection: 'connecting',
  version: '',
  isRecording: false,
  worlds: [],
  world: 'default',
  account: '',
  asset: '',
  moment: null,
  ...emptyWorld,
  message: null,
}

export interface Store<State> {
  get(): State
  set(change: Partial<State>): void
  /** Answers how to stop. */
  subscribe(listener: () => void): () => void
}

export function createStore<State>(initial: State): Store<State> {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set: (change) => {
      state = { ...state, ...change }
      for (const listener of [...listeners]) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
