import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { View } from '../model/documents.ts'
import type { Session } from '../model/session.ts'
import { type ConsoleState, initialState } from '../model/state.ts'

export interface ConsoleContext {
  readonly session: Session
  readonly state: ConsoleState
}

const context = createContext<ConsoleContext | null>(null)
export const ConsoleProvider = context.Provider

/** What the page shows now, as a whole and by its parts, and what acts on it. */
export function useConsole(): ConsoleContext & ConsoleState {
  const found = useContext(context)
  if (found === null) throw new Error('the panels stand in the console')
  return { ...found.state, ...found }
}

/** The same where there is a view: panels stand nowhere else. */
export function useShown(): ConsoleContext & ConsoleState & { readonly view: View } {
  const { view, ...rest } = useConsole()
  if (view === null) throw new Error('the panels stand below a view')
  return { ...rest, view }
}

/** The state, rendered anew whenever it changes; changes within one turn are shown together. */
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

/** The instant that the pointer is at in the chart or the strip; null elsewhere. */
export function usePointer({ pointer }: Session): number | null {
  const [at, setAt] = useState(pointer.get().at)
  useEffect(() => pointer.subscribe(() => setAt(pointer.get().at)), [pointer])
  return at
}
