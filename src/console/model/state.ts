import type { TestFailure } from '../../api/admin-answers.ts'
import type { Note } from '../../api/noted-moments.ts'
import type { Span } from './chart-data.ts'
import type {
  AccountKeys,
  Advance,
  EquityPage,
  HistoryEntry,
  HistoryPrices,
  RequestRow,
  Snapshot,
  View,
  WorldMoment,
} from './documents.ts'
import type { ForkPoint, KnownHistory } from './lineage.ts'
import type { SelectedItem } from './permalink.ts'
import type { PastMoment } from './timeline.ts'

/** State of the page's connection to its server. `guarded`: the server asks for the admin token. */
export type Connection = 'connecting' | 'live' | 'lost' | 'guarded'

/** Prices with the account and span for which they were read, and those of the ancestors among them. */
export interface ReadPrices extends HistoryPrices {
  readonly account: string
  readonly span: Span | null
  readonly inherited: readonly HistoryPrices[]
}

/** What is known of another world that lies over the shown one, from the fork on. */
export interface ComparedView {
  readonly world: string
  /** Moment at which the worlds separated; null if they have no past in common. */
  readonly fork: WorldMoment | null
  readonly past: KnownHistory
  readonly prices: HistoryPrices | null
  /** View of the other world at the shown instant; null before the fork, where both are one. */
  readonly view: View | null
  /** Equity of the account in the shown world and in the other one. */
  readonly equity: readonly [own: EquityPage | null, other: EquityPage | null]
}

/** State of the whole page. */
export interface ConsoleState {
  readonly connection: Connection
  readonly version: string
  /** Whether the page has no server, and shows a recording. */
  readonly isRecording: boolean
  readonly worlds: readonly string[]
  readonly world: string
  readonly account: string
  readonly asset: string
  /** Moment of the past that is shown; null for the present. */
  readonly moment: WorldMoment | null
  readonly view: View | null
  readonly live: WorldMoment | null
  /** Running advance, during which the world answers no requests; null when there is none. */
  readonly advancing: Advance | null
  /** Prices with the account and span for which they were read. */
  readonly prices: ReadPrices | null
  /** Span that chart and strip show; null for all of the world's time. */
  readonly span: Span | null
  /** Where the known past begins: that of the world, or that of the world from which it was forked. */
  readonly begins: WorldMoment | null
  /** Where the world's own history begins. */
  readonly ownBegins: WorldMoment | null
  /** Worlds that this one goes back to, the first of all first; null until they are known. */
  readonly ancestors: readonly ForkPoint[] | null
  /** What happened to the ancestors until the fork; null where nothing did that is known. */
  readonly inherited: KnownHistory | null
  /** Id of the world that lies over this one; null for none. */
  readonly compared: string | null
  /** What is known of the world that lies over this one. */
  readonly others: ComparedView | null
  readonly items: readonly HistoryEntry[]
  readonly moments: readonly PastMoment[]
  readonly isPastWhole: boolean
  readonly requests: readonly RequestRow[]
  readonly snapshots: readonly Snapshot[]
  readonly keys: readonly AccountKeys[]
  readonly failure: TestFailure | null
  readonly notes: readonly Note[]
  /** Number of the request that is looked into; null for none. */
  readonly inspected: number | null
  /** Order or quote that is looked at; null for none. */
  readonly selected: SelectedItem | null
  readonly message: { readonly text: string; readonly isBad: boolean } | null
}

/** Empty parts of the state that are read page by page, each from where the last page ended. */
export const emptyHistory = {
  begins: null,
  ownBegins: null,
  ancestors: null,
  inherited: null,
  items: [],
  moments: [],
  isPastWhole: false,
  requests: [],
  inspected: null,
  selected: null,
} satisfies Partial<ConsoleState>

/** Empty parts of the state that belong to a world, and are reset when another world is chosen. */
const emptyWorld = {
  ...emptyHistory,
  compared: null,
  others: null,
  view: null,
  live: null,
  advancing: null,
  prices: null,
  span: null,
  snapshots: [],
  keys: [],
  failure: null,
  notes: [],
} satisfies Partial<ConsoleState>

/** Creates the state of another world's present, of which nothing is known yet. */
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

/** Store of a state that notifies its listeners of each change. */
export interface Store<State> {
  get(): State
  set(change: Partial<State>): void
  /** Adds a listener. Returns a function that removes it. */
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
