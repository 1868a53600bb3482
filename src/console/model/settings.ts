import { defaultLayout, type Layout, readLayout } from './layout.ts'
import { createStore, type Store } from './state.ts'

/** How a user likes the page: kept in the browser, for all worlds. */
export interface Settings {
  readonly layout: Layout
  /** How prices are drawn; null until it is chosen: lines of a short time, candles of a longer one. */
  readonly style: 'lines' | 'candles' | null
}

/** Where texts are kept, as browsers do. Either method may throw where nothing can be stored. */
export interface TextStore {
  getItem(key: string): string | null
  setItem(key: string, text: string): void
}

const storageKey = 'otcsim-console'

/** Creates the store of the settings that were kept last time, which keeps every change; null keeps nothing. */
export function createSettings(storage: (() => TextStore) | null): Store<Settings> {
  const kept = Object(storage === null ? null : readStored(storage))
  const { style } = kept
  const settings = createStore<Settings>({
    layout: readLayout(kept.layout),
    style: style === 'lines' || style === 'candles' ? style : null,
  })
  settings.subscribe(() => {
    try {
      storage?.().setItem(storageKey, JSON.stringify(settings.get()))
    } catch {
      // Where nothing can be stored, settings hold for as long as the page is open.
    }
  })
  return settings
}

/** Returns what is stored, or null where nothing is or nothing can be. */
function readStored(storage: () => TextStore): unknown {
  try {
    return JSON.parse(storage().getItem(storageKey) ?? 'null')
  } catch {
    return null
  }
}

export const isUsualLayout = (layout: Layout): boolean =>
  JSON.stringify(layout) === JSON.stringify(defaultLayout)
