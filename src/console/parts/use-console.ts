import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { View } from '../model/documents.ts'
import type { Session } from '../model/session.ts'
import type { Settings } from '../model/settings.ts'
import { type ConsoleState, initialState } from '../model/state.ts'

export interface ConsoleContext {
  readonly session: Session
  readonly state: ConsoleState
}

const context = createContext<ConsoleContext | null>(null)
export const ConsoleProvider = context.Provider

/** Returns the state of the page, as a whole and by its parts, and the session that changes it. */
export function useConsole(): ConsoleContext & ConsoleState {
  const found = useContext(context)
  if (found === null) throw new Error('the panels stand in the console')
  return { ...found.state, ...found }
}

/** Returns the state of the page with its view, for panels, which are only rendered when there is one. */
export function useShown(): ConsoleContext & ConsoleState & { readonly view: View } {
  const { view, ...rest } = useConsole()
  if (view === null) throw new Error('the panels stand below a view')
  return { ...rest, view }
}

/**
 * Returns the session's state and renders again whenever it changes; changes within one turn are rendered
 * together.
 */
export function useSessionState(session: Session): ConsoleState {
  const [state, setState] = useState<ConsoleState>(() => session.store.get() ?? initialState)
  useEffect(() => {
    let isWaiting = false
    const show = () => {
      isWaiting = false
      setState(session.store.get())
    }
    const stop = session.store.subscribe(() => {
      if (isWaiting) return
      isWaiting = true
      queueMicrotask(show)
    })
    show()
    return stop
  }, [session])
  return state
}

/** Returns the instant under the pointer in the chart or the strip; null elsewhere. */
export function usePointer({ pointer }: Session): number | null {
  const [at, setAt] = useState(pointer.get().at)
  useEffect(() => pointer.subscribe(() => setAt(pointer.get().at)), [pointer])
  return at
}

/** Returns how the user likes the page. */
export function useSettings({ settings }: Session): Settings {
  const [kept, setKept] = useState(settings.get())
  useEffect(() => settings.subscribe(() => setKept(settings.get())), [settings])
  return kept
}
