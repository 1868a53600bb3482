import type { Session } from './model/session.ts'

/** What each key does while no text is being written. */
export const shortcuts: readonly (readonly [key: string, what: string])[] = [
  ['[ ]', 'one moment back, one on'],
  [', .', 'one second back, one on'],
  ['n', 'next event'],
  ['f F', 'next failure, previous one'],
  ['Esc', 'back to now'],
  ['Space', 'play or pause'],
]

/** Listens until the returned function is called. */
export function listenToKeys(session: Session): () => void {
  const listen = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target, event.key)) return
    const act = actions[event.key]
    if (act === undefined) return
    event.preventDefault()
    act(session)
  }
  document.addEventListener('keydown', listen)
  return () => document.removeEventListener('keydown', listen)
}

const actions: { readonly [key: string]: (session: Session) => void } = {
  '[': (session) => session.step(-1),
  ']': (session) => session.step(1),
  '.': (session) => session.shift(1000),
  ',': (session) => session.shift(-1000),
  n: (session) => session.next(),
  f: (session) => session.failure(1),
  F: (session) => session.failure(-1),
  Escape: (session) => session.show({ place: null }),
  ' ': (session) => {
    const { view, place } = session.store.get()
    if (place === null)
      session.act('PUT', '/clock', { mode: view?.clock.mode === 'realtime' ? 'manual' : 'realtime' })
  },
}

/** In a text field a key is a letter, and on a button the space bar presses the button. */
function isTaken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement && target.type !== 'range' && target.type !== 'checkbox') return true
  if (['SELECT', 'TEXTAREA'].includes(target.tagName)) return true
  return key === ' ' && ['BUTTON', 'SUMMARY', 'A', 'INPUT'].includes(target.tagName)
}
