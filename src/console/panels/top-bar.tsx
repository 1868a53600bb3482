import { h } from 'preact'
import { CopyButton } from '../parts/panel.tsx'
import { useConsole } from '../parts/use-console.ts'

/** Which world, which account's view, and what would reproduce it. */
export function TopBar() {
  const { session, state } = useConsole()
  const { worlds, world, account, view, connection } = state
  const digest = view?.digest ?? null
  return (
    <div class="bar">
      <h1>
        otcsim <small>console</small>
      </h1>
      <label>
        World
        <select value={world} onChange={(event) => session.show({ world: event.currentTarget.value })}>
          {(worlds.includes(world) ? worlds : [...worlds, world]).map((id) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      <label>
        Account
        <select value={account} onChange={(event) => session.show({ account: event.currentTarget.value })}>
          {(view?.accounts ?? []).map(({ id, openOrders, liveQuotes }) => (
            <option key={id} value={id}>
              {openOrders + liveQuotes === 0 ? id : `${id} (${openOrders + liveQuotes} open)`}
            </option>
          ))}
        </select>
      </label>
      <span class="fact">
        <span class="muted">scenario</span> {view?.scenario}
      </span>
      <span class="fact">
        <span class="muted">seed</span> <code>{view?.seed}</code>
        <CopyButton text={view?.seed ?? ''} label="Copy" />
      </span>
      <span class="fact" title="Equal digests, equal worlds">
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
      <span class="fact last">
        <span class={`light ${connection}`} aria-hidden="true" /> {connection}
      </span>
      {h('theme-switch', {})}
      <a href="../docs/">API docs</a>
    </div>
  )
}
