import { prettyJson } from '../../api/json.ts'
import { requestMeaning, requestOutcome } from '../../api/request-words.ts'
import { curlLine, otcsimLine, tryLine } from '../model/copy-as.ts'
import type { LoggedRequest } from '../model/documents.ts'
import { timeOf } from '../model/format.ts'
import { CopyButton, Empty } from '../parts/panel.tsx'
import { useConsole } from '../parts/use-console.ts'
import { WindowList } from '../parts/window-list.tsx'

/** The requests of clients, newest first, and one of them in full. */
export function RequestsPanel() {
  const { session, state } = useConsole()
  const { requests, inspected, asset } = state
  if (requests.length === 0) {
    return (
      <Empty line={tryLine(location.origin, state, 'GET', `/market-data/prices/${asset}`)}>
        No client has asked for anything yet.
      </Empty>
    )
  }
  const chosen = requests.find(({ sequence }) => sequence === inspected)
  return (
    <div class="requests">
      <WindowList
        label="Requests"
        rows={requests}
        keyOf={({ sequence }) => String(sequence)}
        render={(request) => (
          <button
            type="button"
            class="request"
            aria-pressed={request.sequence === inspected}
            onClick={() => session.store.set({ inspected: request.sequence })}
          >
            <RequestLine request={request} />
          </button>
        )}
      />
      {chosen === undefined ? (
        <Empty>Choose a request to look into it.</Empty>
      ) : (
        <Inspector request={chosen} />
      )}
    </div>
  )
}

function RequestLine({ request }: { readonly request: LoggedRequest }) {
  const { at, method, path, query, account, fault } = request
  const isRefused = isFailed(request)
  return (
    <>
      <span class="muted">{timeOf(at)}</span>
      <span class="meaning" title={`${method} ${path}${query}`}>
        {requestMeaning(request)}
      </span>
      <span class={`outcome ${isRefused ? 'bad' : ''}`}>
        {isRefused ? '✗' : '→'} {requestOutcome(request)}
      </span>
      <span class="muted account">{account ?? 'nobody'}</span>
      {fault === null ? null : <span class="badge warn">{fault}</span>}
    </>
  )
}

const isFailed = ({ status }: LoggedRequest): boolean => status >= 400 || status === 0

function Inspector({ request }: { readonly request: LoggedRequest }) {
  const { session, state } = useConsole()
  const { method, path, query, at, wallAt, worldSequence, requestId, key, account, hint, fault } = request
  const keys = state.keys.flatMap((owner) => owner.keys)
  const signer = keys.find(({ apiKey }) => apiKey === key)
  const facts: readonly (readonly [string, string])[] = [
    ['Request', requestId],
    ['World time', at],
    ['Wall time', wallAt],
    ['Account', account ?? 'not found'],
    ['X-API-Key', key ?? 'none'],
    ...(hint === null ? [] : [['X-Sim-Hint', hint] as const]),
    ...(fault === null ? [] : [['Fault', fault] as const]),
  ]
  return (
    <div class="inspector">
      <p class="row">
        <strong>
          {method} {path}
          {query}
        </strong>
      </p>
      <p class="row">
        {signer === undefined ? null : (
          <CopyButton text={curlLine(location.origin, request, signer)} label="Copy as curl" />
        )}
        {signer === undefined ? null : (
          <CopyButton text={otcsimLine(location.origin, request, signer)} label="Copy as otcsim curl" />
        )}
        <button
          type="button"
          class="quiet"
          onClick={() => session.show({ place: { sequence: worldSequence, at } })}
        >
          See the world right after it
        </button>
      </p>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Body title="Sent" text={request.requestBody} />
      <Body
        title={`Answered ${request.status}${request.type === null ? '' : ` ${request.type}`}`}
        text={request.responseBody}
      />
    </div>
  )
}

function Body({ title, text }: { readonly title: string; readonly text: string }) {
  if (text === '') return null
  return (
    <>
      <h3>{title}</h3>
      <section class="body" aria-label={title} tabIndex={0}>
        <pre>{prettyJson(text)}</pre>
      </section>
    </>
  )
}
