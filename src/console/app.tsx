import { type ComponentChildren, h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { formatDate, formatTime } from './model/format.ts'
import { readPermalink, writePermalink } from './model/permalink.ts'
import { countRequests } from './model/read-world.ts'
import type { Session } from './model/session.ts'
import type { ConsoleState } from './model/state.ts'
import { AccountPanel, AccountsPanel, RatePanel, RiskPanel } from './panels/account-panels.tsx'
import { BookPanel } from './panels/book-panel.tsx'
import { ClockBar } from './panels/clock-bar.tsx'
import { FaultsPanel } from './panels/faults-panel.tsx'
import { Later } from './panels/later.tsx'
import { LifelinesPanel } from './panels/lifelines-panel.tsx'
import { LogPanel, ScriptPanel } from './panels/log-panel.tsx'
import { FillsPanel, OrdersPanel, QuotesPanel } from './panels/orders-panel.tsx'
import { PricesPanel } from './panels/prices-panel.tsx'
import { RequestsPanel } from './panels/requests-panel.tsx'
import { TimelineStrip } from './panels/timeline-strip.tsx'
import { Workspace } from './panels/workspace.tsx'
import { Button, Choice, Field, Form } from './parts/form.tsx'
import { CopyButton, Empty, Panel } from './parts/panel.tsx'
import { Tabs } from './parts/tabs.tsx'
import { ConsoleProvider, useConsole, useSessionState } from './parts/use-console.ts'

/** Milliseconds after which a message of success disappears; a message of failure stays. */
const messageMillis = 5000

/** The whole page of the console. */
export function App({ session }: { readonly session: Session }) {
  const state = useSessionState(session)
  useEffect(() => listenToKeys(session), [session])
  useEffect(() => listenToDrops(session), [session])
  useAddress(session, state)
  const { view, connection, message } = state
  const [isMore, setMore] = useState(false)
  useEffect(() => {
    if (message === null || message.isBad) return
    const gone = setTimeout(() => session.store.set({ message: null }), messageMillis)
    return () => clearTimeout(gone)
  }, [session, message])
  return (
    <ConsoleProvider value={{ session, state }}>
      <header class={`top ${isMore ? 'more' : ''}`}>
        <TopBar>
          <Button class="more-button" aria-expanded={isMore} onClick={() => setMore(!isMore)}>
            More
          </Button>
        </TopBar>
        <ClockBar />
        {connection === 'lost' ? (
          <p class="banner bad" role="alert">
            The server does not answer. What you see is what was last known; the page continues by itself when
            it is back.
          </p>
        ) : null}
        <AdvanceBanner />
        <FailureBanner />
      </header>
      {connection === 'guarded' ? <TokenForm session={session} /> : null}
      {view === null ? (
        <p class="loading">{connection === 'guarded' ? '' : 'Reading the world'}</p>
      ) : (
        <Panels state={state} />
      )}
      <p class={`message ${message?.isBad ? 'bad' : ''}`} role="status" hidden={message === null}>
        {message?.text}
        <Button class="quiet" aria-label="Dismiss" onClick={() => session.store.set({ message: null })}>
          ✕
        </Button>
      </p>
      <footer>{view === null ? null : <TimelineStrip />}</footer>
    </ConsoleProvider>
  )
}

function Panels({ state }: { readonly state: ConsoleState }) {
  const { view, requests, items, worlds, account, isRecording, selected, inspected } = state
  const own = view?.accounts.find(({ id }) => id === account)
  return (
    <Workspace
      panels={{
        market: () => <PricesPanel />,
        book: () => <BookPanel />,
        ticket: () => (isRecording ? <NoTicket /> : <Later name="TicketPanel" />),
        requests: () => (
          <Tabs
            label="Requests and history"
            area="area-requests"
            wanted={inspected === null ? '' : 'Requests'}
            tabs={[
              { name: 'Requests', count: countRequests(requests), show: () => <RequestsPanel /> },
              { name: 'History', count: (items.at(-1)?.index ?? -1) + 1, show: () => <LogPanel /> },
              { name: 'Script', count: view?.upcoming.length, show: () => <ScriptPanel /> },
              ...(isRecording
                ? []
                : [{ name: 'Worlds', count: worlds.length, show: () => <Later name="WorldsPanel" /> }]),
            ]}
          />
        ),
        orders: () => (
          <Tabs
            label="Orders"
            area="area-orders"
            wanted={selected === null ? '' : 'Lifelines'}
            tabs={[
              { name: 'Open orders', count: view?.orders?.pagination.total, show: () => <OrdersPanel /> },
              { name: 'Lifelines', show: () => <LifelinesPanel /> },
              { name: 'Quotes', count: own?.liveQuotes, show: () => <QuotesPanel /> },
              { name: 'Fills', count: view?.tradeCount, show: () => <FillsPanel /> },
              { name: 'All orders', show: () => <OrdersPanel isAll /> },
            ]}
          />
        ),
        portfolio: () => <AccountPanel />,
        risk: () => <RiskPanel />,
        controls: () => (
          <Tabs
            label="Controls"
            tabs={[
              {
                name: 'Market',
                show: () => (isRecording ? <Unchangeable /> : <Later key="market" name="ControlsPanel" />),
              },
              { name: 'Faults', count: view?.faults.length, show: () => <FaultsPanel /> },
              { name: 'Rate limits', show: () => <RatePanel /> },
              { name: 'Accounts', count: view?.accounts.length, show: () => <AccountsPanel /> },
              ...(isRecording
                ? []
                : [{ name: 'Readings', show: () => <Later key="readings" name="ReadingsPanel" /> }]),
            ]}
          />
        ),
      }}
    />
  )
}

const NoTicket = () => (
  <Panel title="Ticket" area="area-ticket">
    <Unchangeable />
  </Panel>
)

const Unchangeable = () => <Empty>This page is a recording: nothing can be changed in it.</Empty>

/** Keeps the address in step with what is shown, and shows what the address says. */
function useAddress(session: Session, state: ConsoleState): void {
  const hash = writePermalink({ ...state, request: state.inspected })
  useEffect(() => {
    if (location.hash !== hash) history.replaceState(null, '', hash)
  }, [hash])
  useEffect(() => {
    const read = () => {
      const link = readPermalink(location.hash)
      if (link.world !== null && link.world !== session.store.get().world) session.show({ world: link.world })
      session.show({
        moment: link.moment,
        ...(link.account === null ? {} : { account: link.account }),
        ...(link.asset === null ? {} : { asset: link.asset }),
      })
      session.notes.link(link.notes)
      session.select({ selected: link.selected, inspected: link.request })
    }
    window.addEventListener('hashchange', read)
    return () => window.removeEventListener('hashchange', read)
  }, [session])
}

const TokenForm = ({ session }: { readonly session: Session }) => (
  <Form class="token" send={({ token = '' }) => session.authenticate(token)}>
    <Field
      label="This server asks for its admin token"
      {...{ id: 'token', name: 'token', type: 'password', autocomplete: 'off' }}
    />
    <button type="submit" class="primary">
      Open
    </button>
  </Form>
)

/** Keys and what they do while no text is being typed. */
const shortcuts: readonly Shortcut[] = [
  ['[ ]', 'one moment back, one on', [(session) => session.step(-1), (session) => session.step(1)]],
  [', .', 'one second back, one on', [(session) => session.shift(-1000), (session) => session.shift(1000)]],
  ['n', 'next event', [(session) => session.goToNextEvent()]],
  [
    'f F',
    'next failure, previous one',
    [(session) => session.goToFailure(1), (session) => session.goToFailure(-1)],
  ],
  ['Escape', 'back to now', [(session) => session.show({ moment: null })]],
  ['Space', 'play or pause', [playOrPause]],
]

type Shortcut = readonly [keys: string, what: string, acts: readonly ((session: Session) => void)[]]

const actions = new Map(
  shortcuts.flatMap(([keys, , acts]) => keys.split(' ').map((key, place) => [key, acts[place]])),
)

function playOrPause(session: Session): void {
  const { view, moment, isRecording } = session.store.get()
  if (moment === null && !isRecording)
    session.act('PUT', '/clock', { mode: view?.clock.mode === 'realtime' ? 'manual' : 'realtime' })
}

/** Listens for shortcut keys until the returned function is called. */
function listenToKeys(session: Session): () => void {
  const listen = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isHandledByTarget(event.target, event.key)) return
    const act = actions.get(event.key === ' ' ? 'Space' : event.key)
    if (act === undefined) return
    event.preventDefault()
    act(session)
  }
  document.addEventListener('keydown', listen)
  return () => document.removeEventListener('keydown', listen)
}

/** Opens journals that are dropped on the page, until the returned function is called. */
function listenToDrops(session: Session): () => void {
  const listen = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return
    event.preventDefault()
    if (event.type !== 'drop') return
    // The browser forgets them when this function ends.
    const files = [...event.dataTransfer.files]
    // A recording has no such panels; its answer says what can be done.
    if (session.store.get().isRecording) session.ask('POST', '/worlds/import')
    else import('./panels/live-panels.ts').then(({ livePanels }) => livePanels.openJournal(session, files))
  }
  for (const type of ['dragover', 'drop'] as const) document.addEventListener(type, listen)
  return () => {
    for (const type of ['dragover', 'drop'] as const) document.removeEventListener(type, listen)
  }
}

/**
 * Returns whether a focused element uses a key itself: a text field takes every key, and a button the space
 * bar.
 */
function isHandledByTarget(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement && target.type !== 'range' && target.type !== 'checkbox') return true
  if (['SELECT', 'TEXTAREA'].includes(target.tagName)) return true
  return key === ' ' && ['BUTTON', 'SUMMARY', 'A', 'INPUT'].includes(target.tagName)
}

/**
 * Banner that shows a running advance and its progress. Until the end the page shows the world as it was
 * before.
 */
function AdvanceBanner() {
  const { advancing, live } = useConsole()
  if (advancing === null) return null
  const { now, to } = advancing
  const begun = Date.parse(live?.at ?? now)
  return (
    <p class="banner">
      <strong role="status">This world is being advanced</strong>
      {to === null ? null : (
        <>
          {' '}
          to <Instant at={to} />{' '}
          <progress
            aria-label="How far the advance has come"
            value={Math.max(0, Date.parse(now) - begun)}
            max={Math.max(1, Date.parse(to) - begun)}
          />
        </>
      )}{' '}
      and has come to <Instant at={now} />. What you see is how it was before; requests to it wait until then.
    </p>
  )
}

/** Banner that shows the test that failed in this world, what the venue knows of the cause, its message, and that moment. */
function FailureBanner() {
  const { session, failure } = useConsole()
  if (failure === null) return null
  const { sequence, at } = failure
  return (
    <section class="banner failure" aria-label="The test that failed">
      <p>
        <strong>✗ {failure.test}</strong>{' '}
        <Button class="quiet" onClick={() => session.show({ moment: { sequence, at } })}>
          Show when it failed
        </Button>
      </p>
      {failure.answer.map((sentence) => (
        <p class="answer" key={sentence}>
          {sentence}
        </p>
      ))}
      <pre tabIndex={0}>{failure.message}</pre>
    </section>
  )
}

const Instant = ({ at }: { readonly at: string }) => (
  <span class="number">
    {formatDate(at)} {formatTime(at)}
  </span>
)

function TopBar({ children }: { readonly children: ComponentChildren }) {
  const { session, worlds, world, account, view, connection, isRecording } = useConsole()
  const digest = view?.digest ?? null
  return (
    <div class="bar">
      <h1>
        otcsim <small>console</small>
      </h1>
      <Choice
        label="World"
        value={world}
        options={(worlds.includes(world) ? worlds : [...worlds, world]).map((id) => [id, id] as const)}
        choose={(chosen) => session.show({ world: chosen })}
      />
      <Choice
        label="Account"
        value={account}
        options={(view?.accounts ?? []).map(({ id, openOrders, liveQuotes: quotes }) => [
          id,
          openOrders + quotes === 0 ? id : `${id} (${openOrders + quotes} open)`,
        ])}
        choose={(chosen) => session.show({ account: chosen })}
      />
      <span class="fact second-rank">
        <span class="muted">scenario</span> {view?.scenario}
      </span>
      <span class="fact second-rank">
        <span class="muted">seed</span> <code>{view?.seed}</code>
        <CopyButton text={view?.seed ?? ''} label="Copy" />
      </span>
      <span class="fact second-rank" title="Equal digests, equal worlds">
        <span class="muted">digest</span>{' '}
        {digest === null ? (
          <span class="muted">when the clock stands still</span>
        ) : (
          <>
            <code>{digest.slice(0, 8)}</code>
            <CopyButton text={digest} label="Copy" />
          </>
        )}
      </span>
      <span class="row last">
        {children}
        <span class="row third-rank">
          <span>
            <span class={`light ${connection}`} aria-hidden="true" /> {isRecording ? 'recorded' : connection}
          </span>
          <details class="keys">
            <summary>Keys</summary>
            <ul aria-label="Keys">
              {shortcuts.map(([key, what]) => (
                <li key={key}>
                  <kbd>{key}</kbd> {what}
                </li>
              ))}
            </ul>
          </details>
          {h('theme-switch', {})}
          {isRecording ? null : (
            <>
              <a href="../docs/">API docs</a>
              <a href="../guides/">Guides</a>
            </>
          )}
        </span>
      </span>
    </div>
  )
}
