import { render } from 'preact'
import { putNote } from '../api/noted-moments.ts'
import { App } from './app.tsx'
import { createAdminApi } from './model/admin-api.ts'
import { readPermalink } from './model/permalink.ts'
import { createRecordedApi, readPlainText, type WorldRecording } from './model/recorded-api.ts'
import { Session } from './model/session.ts'
import { createSettings } from './model/settings.ts'
import { createStore, initialState } from './model/state.ts'
import 'uplot/dist/uPlot.min.css'
import './style/console.css'

/* The console's page. It is served beside the admin API, and sends requests to no other server. */

const island = document.getElementById('recording')
if (island === null) show(null, '')
else unpack<WorldRecording>(island.textContent ?? '').then((of) => show(of, island.dataset['place'] ?? ''))

/** Shows a recording, or the worlds of the page's server for null. `place` is shown where the address names none. */
function show(recording: WorldRecording | null, place: string): void {
  const link = readPermalink(location.hash === '' ? place : location.hash)
  const store = createStore({
    ...initialState,
    isRecording: recording !== null,
    world: link.world ?? initialState.world,
    account: link.account ?? '',
    asset: link.asset ?? '',
    moment: link.moment,
    inspected: link.request,
    selected: link.selected,
    notes: link.notes.reduce(putNote, recording?.notes ?? []),
  })
  const base = new URL('..', location.href).href.replace(/\/$/, '')
  const api = recording === null ? createAdminApi(base) : createRecordedApi(recording)
  const settings = createSettings(() => localStorage)
  const session = new Session(store, api, new AbortController().signal, settings)
  const root = document.getElementById('console')
  if (root !== null) render(<App session={session} />, root)
  session.start()
}

/** Unpacks the recording in a page: JSON, packed by gzip, in base 64. */
async function unpack<Value>(text: string): Promise<Value> {
  const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0))
  return JSON.parse(await readPlainText(new Blob([bytes])))
}
