import { render } from 'preact'
import { App } from './app.tsx'
import { createAdminApi } from './model/admin-api.ts'
import { readPermalink } from './model/permalink.ts'
import { Session } from './model/session.ts'
import { initialState } from './model/state.ts'
import { createStore } from './model/store.ts'
import 'uplot/dist/uPlot.min.css'
import './style/console.css'

/* The console's page. It is served beside the admin API, and asks nobody else. */

const link = readPermalink(location.hash)
const store = createStore({
  ...initialState,
  world: link.world ?? initialState.world,
  account: link.account ?? '',
  asset: link.asset ?? '',
  place: link.place,
  inspected: link.request,
})
const base = new URL('..', location.href).href.replace(/\/$/, '')
const session = new Session(store, createAdminApi(base), new AbortController().signal)
const root = document.getElementById('console')
if (root !== null) render(<App session={session} />, root)
session.start()
