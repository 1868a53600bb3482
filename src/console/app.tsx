import { useEffect, useState } from 'preact/hooks'
import { listenToKeys, shortcuts } from './keys.ts'
import { readPermalink, writePermalink } from './model/permalink.ts'
import type { Session } from './model/session.ts'
import type { ConsoleState } from './model/state.ts'
import { AccountPanel, RatePanel, RiskPanel } from './panels/account-panels.tsx'
import { AdvanceBanner } from './panels/advance-banner.tsx'
import { BookPanel } from './panels/book-panel.tsx'
import { ClockBar } from './panels/clock-bar.tsx'
import { ControlsPanel } from './panels/controls-panel.tsx'
import { FaultsPanel } from './panels/faults-panel.tsx'
import { LogPanel } from './panels/log-panel.tsx'
import { FillsPanel, OrdersPanel, QuotesPanel } from './panels/orders-panel.tsx'
import { PricesPanel } from './panels/prices-panel.tsx'
import { RequestsPanel } from './panels/requests-panel.tsx'
import { TimelineStrip } from './panels/timeline-strip.tsx'
import { TopBar } from './panels/top-bar.tsx'
import { Tabs } from './parts/tabs.tsx'
import { ConsoleProvider, useSessionState } from './parts/use-console.ts'

/** The whole page. */
export function App({ session }: { readonly session: Session }) {
  const state = useSessionState(session)
  useEffect(() => listenToKeys(session), [session])
  useAddress(session, state)
  const { view, connection, message } = state
  return (
    <ConsoleProvider value={{ session, state }}>
      <header class="top">
        <TopBar />
        <ClockBar />
        {connection === 'lost' ? (
          <p class="banner bad" role="alert">
            The server does not answer. What you see is what was last known; the page continues by itself when
            it is back.
          </p>
        ) : null}
        <AdvanceBanner />
      </header>
      {connection === 'guarded' ? <TokenForm session={session} /> : null}
      {view === null ? (
        <p class="loading">{connection === 'guarded' ? '' : 'Reading the world'}</p>
      ) : (
        <Panels state={state} />
      )}
      <p class={`message ${message?.isBad ? 'bad' : ''}`} role="status" hidden={message === null}>
        {message?.text}
        <button
          type="button"
          class="quiet"
          aria-label="Dismiss"
          onClick={() => session.store.set({ message: null })}
        >
          ✕
        </button>
      </p>
      <footer>
        {view === null ? null : <TimelineStrip />}
        <ul class="keys" aria-label="Keys">
          {shortcuts.map(([key, what]) => (
            <li key={key}>
              <kbd>{key}</kbd> {what}
            </li>
          ))}
        </ul>
      </footer>
    </ConsoleProvider>
  )
}

function Panels({ state }: { readonly state: ConsoleState }) {
  const { view, requests, items } = state
  return (
    <main>
      <div class="wide">
        <PricesPanel />
        <BookPanel />
        <Tabs
          label="Orders"
          area="area-orders"
          tabs={[
            { name: 'Open orders', count: view?.orders?.pagination.total, show: () => <OrdersPanel /> },
            { name: 'Quotes', count: view?.quotes.length, show: () => <QuotesPanel /> },
            { name: 'Fills', count: view?.trades.length, show: () => <FillsPanel /> },
            { name: 'All orders', show: () => <OrdersPanel isAll /> },
          ]}
        />
        <Tabs
          label="Requests and history"
          area="area-requests"
          tabs={[
            { name: 'Requests', count: requests.length, show: () => <RequestsPanel /> },
            { name: 'History', count: items.length, show: () => <LogPanel /> },
          ]}
        />
      </div>
      <div class="narrow">
        <AccountPanel />
        <RiskPanel />
        <Tabs
          label="Controls"
          tabs={[
            { name: 'Market', show: () => <ControlsPanel /> },
            { name: 'Faults', count: view?.faults.length, show: () => <FaultsPanel /> },
            { name: 'Rate limits', show: () => <RatePanel /> },
          ]}
        />
      </div>
    </main>
  )
}

/** The address always says what is shown, and the page shows what the address says. */
function useAddress(session: Session, { world, account, asset, place }: ConsoleState): void {
  const hash = writePermalink(world, account, asset, place)
  useEffect(() => {
    if (location.hash !== hash) history.replaceState(null, '', hash)
  }, [hash])
  useEffect(() => {
    const read = () => {
      const link = readPermalink(location.hash)
      if (link.world !== null && link.world !== session.store.get().world) session.show({ world: link.world })
      session.show({
        place: link.place,
        ...(link.account === null ? {} : { account: link.account }),
        ...(link.asset === null ? {} : { asset: link.asset }),
      })
    }
    window.addEventListener('hashchange', read)
    return () => window.removeEventListener('hashchange', read)
  }, [session])
}

function TokenForm({ session }: { readonly session: Session }) {
  const [token, setToken] = useState('')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    session.present(token)
  }
  return (
    <form class="token" onSubmit={submit}>
      <label>
        This server asks for its admin token
        <input
          id="token"
          type="password"
          autocomplete="off"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary">
        Open
      </button>
    </form>
  )
}
