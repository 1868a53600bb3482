import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { prettyJson } from '../../api/json.ts'
import { requestMeaning, requestOutcome } from '../../api/request-words.ts'
import { curlLine, faultLine, otcsimLine, scenarioStep, testLine, tryLine } from '../model/copy-as.ts'
import type { LoggedRequest } from '../model/documents.ts'
import { number, timeOf } from '../model/format.ts'
import {
  accountsIn,
  filtered,
  isFailed,
  isLater,
  nobody,
  noFilter,
  type RequestFilter,
} from '../model/request-filter.ts'
import { whyAnswered } from '../model/why-unfilled.ts'
import { Button } from '../parts/button.tsx'
import { Choice } from '../parts/form.tsx'
import { CopyButton, Empty, Figures } from '../parts/panel.tsx'
import { useConsole } from '../parts/use-console.ts'
import { WindowList } from '../parts/window-list.tsx'

/** The requests of clients, newest first, those that are looked for, and one of them in full. */
export function RequestsPanel() {
  const { session, state } = useConsole()
  const { requests, inspected, asset, place } = state
  const [filter, setFilter] = useState(noFilter)
  const [held, setHeld] = useState<number | null>(null)
  if (requests.length === 0) {
    return (
      <Empty line={tryLine(location.origin, state, 'GET', `/market-data/prices/${asset}`)}>
        No client has asked for anything yet.
      </Empty>
    )
  }
  const known = held === null ? requests : requests.filter(({ sequence }) => sequence <= held)
  const shown = filtered(known, filter)
  const chosen = requests.find(({ sequence }) => sequence === inspected)
  const last = requests.at(-1)?.sequence ?? 0
  return (
    <>
      <FilterBar filter={filter} change={setFilter} shown={shown.length}>
        <Button
          aria-pressed={held !== null}
          title="Whether requests that come are shown at once"
          onClick={() => setHeld(held === null ? last : null)}
        >
          {held === null ? 'Pause' : `Follow (${last - held} new)`}
        </Button>
      </FilterBar>
      <div class="requests">
        <WindowList
          label="Requests"
          rows={shown}
          keyOf={({ sequence }) => String(sequence)}
          render={(request, isStop) => (
            <Button
              class={`request ${isLater(request, place) ? 'later' : ''}`}
              tabIndex={isStop ? 0 : -1}
              aria-pressed={request.sequence === inspected}
              onClick={() => session.store.set({ inspected: request.sequence })}
            >
              <RequestLine request={request} />
            </Button>
          )}
        />
        {chosen === undefined ? (
          <Empty>Choose a request to look into it.</Empty>
        ) : (
          <Inspector request={chosen} />
        )}
      </div>
    </>
  )
}

interface FilterBarProps {
  readonly filter: RequestFilter
  readonly change: (filter: RequestFilter) => void
  readonly shown: number
  readonly children: ComponentChildren
}

function FilterBar({ filter, change, shown, children }: FilterBarProps) {
  const { state } = useConsole()
  const { requests } = state
  const failed = requests.filter(isFailed).length
  const struck = requests.filter(({ fault }) => fault !== null).length
  const outcomes = [
    ['all', `all ${requests.length}`],
    ['failed', `failed ${failed}`],
    ['done', `done ${requests.length - failed}`],
    ['fault', `under a fault ${struck}`],
  ] as const
  return (
    <search class="filter-bar">
      <label>
        <span class="hidden">Search requests</span>
        <input
          type="search"
          placeholder="buy, ord_7, 422, balance"
          value={filter.text}
          onInput={(event) => change({ ...filter, text: event.currentTarget.value })}
        />
      </label>
      <Choice
        label="Show"
        value={filter.outcome}
        options={outcomes}
        choose={(outcome) => change({ ...filter, outcome })}
      />
      <Choice
        label="of"
        value={filter.account}
        options={[
          ['', 'everybody'],
          ...[...accountsIn(requests)].map(([account, count]) => [account, `${account} ${count}`] as const),
        ]}
        choose={(account) => change({ ...filter, account })}
      />
      {children}
      <span class="muted" role="status">
        {shown === requests.length ? '' : `${shown} of ${requests.length} requests`}
      </span>
    </search>
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
      <span class="muted account">{account ?? nobody}</span>
      {request.durationMs < 1 ? null : <span class="muted">{number(request.durationMs)} ms</span>}
      {fault === null ? null : <span class="badge warn">{fault}</span>}
    </>
  )
}

function Inspector({ request }: { readonly request: LoggedRequest }) {
  const { session, state } = useConsole()
  const { method, path, query, at, wallAt, worldSequence, requestId, key, account, hint, fault } = request
  const why = state.view === null ? '' : whyAnswered(request, state.view)
  const keys = state.keys.flatMap((owner) => owner.keys)
  const signer = keys.find(({ apiKey }) => apiKey === key)
  const step = scenarioStep(request, state.begins?.at ?? at)
  const facts: readonly (readonly [string, string])[] = [
    ...(why === '' ? [] : [[isFailed(request) ? 'Why' : 'Its order', why] as const]),
    ['Request', requestId],
    ['World time', at],
    ['Wall time', `${wallAt}, after ${number(request.durationMs)} ms`],
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
        <CopyButton text={testLine(request)} label="Copy as a test" />
        {step === null ? null : <CopyButton text={step} label="Copy as a scenario step" />}
        {request.status === 0 ? null : (
          <CopyButton text={faultLine(location.origin, request, state.world)} label="Copy as a fault" />
        )}
        <Button class="quiet" onClick={() => session.show({ place: { sequence: worldSequence, at } })}>
          See the world right after it
        </Button>
      </p>
      <Figures class="facts" of={facts} />
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
