import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { indentJson } from '../../api/json.ts'
import { describeOutcome, describeRequest, isFailedRequest } from '../../api/request-words.ts'
import {
  formatCurl,
  formatFaultLine,
  formatOtcsimCurl,
  formatScenarioStep,
  formatTestLine,
  formatTryLine,
  leaveOutConsoleId,
} from '../model/copy-as.ts'
import type { RequestRow } from '../model/documents.ts'
import { formatNumber, formatTime } from '../model/format.ts'
import { countRequests } from '../model/read-world.ts'
import {
  countValues,
  filterRequests,
  formatOperation,
  getAccount,
  isLater,
  listOutcomes,
  noFilter,
  type RequestFilter,
} from '../model/request-filter.ts'
import { collectOutcomes, explainAnswer, formatOutcome } from '../model/why-unfilled.ts'
import { Button, Choice } from '../parts/form.tsx'
import { CopyButton, Empty, Figures } from '../parts/panel.tsx'
import { useShown } from '../parts/use-console.ts'
import { WindowList } from '../parts/window-list.tsx'

export function RequestsPanel() {
  const { session, requests, inspected, moment, world, items } = useShown()
  const [filter, setFilter] = useState(noFilter)
  const [held, setHeld] = useState<number | null>(null)
  const [isEverywhere, setEverywhere] = useState(false)
  const everywhere = useRequestsEverywhere(isEverywhere)
  const fates = useMemo(() => collectOutcomes(items), [items])
  const all = useMemo(
    () => (isEverywhere ? [...everywhere.keys()] : requests),
    [isEverywhere, everywhere, requests],
  )
  const known = useMemo(() => (held === null ? all : all.slice(0, held)), [all, held])
  const shown = useMemo(() => filterRequests(known, filter), [known, filter])
  const chosen = requests.find(({ sequence }) => sequence === inspected)
  const choose = (request: RequestRow) => {
    const its = everywhere.get(request) ?? world
    if (its !== world) session.show({ world: its })
    session.store.set({ inspected: request.sequence })
  }
  return (
    <>
      <FilterBar
        {...{ filter, all: known, shown: shown.length }}
        change={setFilter}
        worlds={<WorldsChoice isEverywhere={isEverywhere} choose={setEverywhere} />}
      >
        <PauseButton {...{ held, hold: setHeld }} count={all.length} />
      </FilterBar>
      <div class={`requests-split ${isEverywhere ? 'everywhere' : ''}`}>
        {shown.length === 0 ? (
          <NoRequests isFiltered={known.length > 0} isEverywhere={isEverywhere} />
        ) : (
          <WindowList
            label="Requests"
            rows={shown}
            wanted={inspected === null ? '' : ` ${inspected}`}
            keyOf={(request) => `${everywhere.get(request) ?? ''} ${request.sequence}`}
            render={(request, isStop) => {
              const its = everywhere.get(request)
              return (
                <Button
                  class={`request ${its === undefined && isLater(request, moment) ? 'later' : ''}`}
                  tabIndex={isStop ? 0 : -1}
                  aria-pressed={(its ?? world) === world && request.sequence === inspected}
                  onClick={() => choose(request)}
                >
                  <RequestLine
                    request={request}
                    world={its ?? ''}
                    fate={formatOutcome(request, fates, moment)}
                  />
                </Button>
              )
            }}
          />
        )}
        {chosen === undefined ? (
          shown.length === 0 ? null : (
            <Empty>Choose a request to look into it.</Empty>
          )
        ) : (
          <Inspector request={chosen} />
        )}
      </div>
    </>
  )
}

interface PauseButtonProps {
  /** Number of requests that are shown while the list stands still; null while it follows. */
  readonly held: number | null
  readonly hold: (held: number | null) => void
  readonly count: number
}

const PauseButton = ({ held, hold, count }: PauseButtonProps) => (
  <Button
    aria-pressed={held !== null}
    title="Whether requests that come are shown at once"
    onClick={() => hold(held === null ? count : null)}
  >
    {held === null ? 'Pause' : `Follow (${count - held} new)`}
  </Button>
)

interface NoRequestsProps {
  /** Whether there are requests, of which the filter shows none. */
  readonly isFiltered: boolean
  readonly isEverywhere: boolean
}

function NoRequests({ isFiltered, isEverywhere }: NoRequestsProps) {
  const { state, asset } = useShown()
  if (isFiltered) return <Empty>No request has all of these words and choices.</Empty>
  if (state.isRecording) return <Empty>No requests were kept with this recording.</Empty>
  return (
    <Empty line={formatTryLine(location.origin, state, 'GET', `/market-data/prices/${asset}`)}>
      {isEverywhere
        ? 'No client has asked any world for anything yet.'
        : 'No client has asked for anything yet.'}
    </Empty>
  )
}

interface WorldsChoiceProps {
  readonly isEverywhere: boolean
  readonly choose: (isEverywhere: boolean) => void
}

function WorldsChoice({ isEverywhere, choose }: WorldsChoiceProps) {
  const { worlds } = useShown()
  if (worlds.length < 2) return null
  const all = `all ${worlds.length} worlds`
  return (
    <Choice
      label="in"
      value={isEverywhere ? all : ''}
      options={[['', 'this world'] as const, [all, all] as const]}
      choose={(which) => choose(which !== '')}
    />
  )
}

/** Milliseconds between two readings of all worlds' requests; only the shown world reports new ones. */
const everywhereEveryMillis = 5000

/**
 * Returns the requests of all worlds in the order in which they came, each with its world; none while they are
 * not wanted.
 */
function useRequestsEverywhere(isWanted: boolean): ReadonlyMap<RequestRow, string> {
  const { session, worlds } = useShown()
  const [known, setKnown] = useState<ReadonlyMap<RequestRow, string>>(new Map())
  useEffect(() => {
    setKnown(new Map())
    if (!isWanted) return
    const read = async () => {
      const lists = await session.attempt(() =>
        Promise.all(
          worlds.map(async (id) => {
            const path = `/worlds/${encodeURIComponent(id)}/requests`
            const { requests } = await session.api.ask<{ requests: readonly RequestRow[] }>('GET', path)
            return requests.map((request) => [request, id] as const)
          }),
        ),
      )
      setKnown(new Map(lists?.flat().sort(([left], [right]) => (left.wallAt < right.wallAt ? -1 : 1))))
    }
    read()
    const often = setInterval(read, everywhereEveryMillis)
    return () => clearInterval(often)
  }, [session, isWanted, worlds.join()])
  return known
}

interface FilterBarProps {
  readonly filter: RequestFilter
  readonly all: readonly RequestRow[]
  readonly change: (filter: RequestFilter) => void
  readonly shown: number
  readonly worlds: ComponentChildren
  readonly children: ComponentChildren
}

function FilterBar({ filter, all, change, shown, worlds, children }: FilterBarProps) {
  const counted = useMemo(() => facets.map(([, , , valuesIn]) => countValues(all, valuesIn)), [all])
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
      {children}
      {facets.map(([name, label, whole], place) => {
        const counts = counted[place] ?? new Map<string, number>()
        const values = filter[name] === '' || counts.has(filter[name]) ? [] : [[filter[name], 0] as const]
        return (
          <Choice
            key={name}
            label={label}
            value={filter[name]}
            options={[
              ['', name === 'outcome' ? `${whole} ${all.length}` : whole],
              ...[...counts, ...values].map(
                ([value, count]) => [value, `${facetWord(value)} ${count}`] as const,
              ),
            ]}
            choose={(value) => change({ ...filter, [name]: value })}
          />
        )
      })}
      {worlds}
      <span class="muted" role="status">
        {shown === all.length ? '' : `${shown} of ${all.length}`}
        {all.length < countRequests(all) ? ', the newest' : ''}
      </span>
    </search>
  )
}

const facets = [
  ['outcome', 'Show', 'all', listOutcomes],
  ['account', 'of', 'everybody', (request: RequestRow) => [getAccount(request)]],
  ['operation', 'for', 'anything', (request: RequestRow) => [formatOperation(request)]],
] as const

const facetWord = (value: string): string => facetWords.get(value) ?? value

const facetWords: ReadonlyMap<string, string> = new Map([
  ['fault', 'under a fault'],
  ['lost before', 'answer lost, nothing carried out'],
  ['lost after', 'answer lost, carried out'],
  ['lost cut', 'answer cut off'],
])

interface RequestLineProps {
  readonly request: RequestRow
  /** World of the request; '' where only one world is listed. */
  readonly world: string
  readonly fate: string
}

function RequestLine({ request, world, fate }: RequestLineProps) {
  const { at, method, path, query, fault } = request
  const isRefused = isFailedRequest(request)
  const outcome = `${describeOutcome(request)}${fate === '' ? '' : ` → ${fate}`}`
  return (
    <>
      <span class="muted">{formatTime(at)}</span>
      <span class="meaning" title={`${method} ${path}${query}`}>
        {describeRequest(request)}
      </span>
      <span class={`outcome ${isRefused ? 'bad' : ''}`} title={outcome}>
        {fault === null ? null : <span class="badge warn">{fault}</span>} {isRefused ? '✗' : '→'} {outcome}
      </span>
      <span class="muted account">
        {world === '' ? getAccount(request) : `${world}: ${getAccount(request)}`}
      </span>
      <span class="muted number duration">
        {request.durationMs < 1 ? '' : `${formatNumber(request.durationMs, 0)} ms`}
      </span>
    </>
  )
}

function Inspector({ request }: { readonly request: RequestRow }) {
  const { session, view, keys, begins, world, isRecording } = useShown()
  const { method, path, query, at, wallAt, worldSequence, requestId, key, account, hint, fault, lost } =
    request
  const why = explainAnswer(request, view)
  const signer = keys.flatMap((owner) => owner.keys).find(({ apiKey }) => apiKey === key)
  const { origin } = location
  const followed = view.clock.mode === 'follow' ? Date.parse(view.now) : null
  const copied = leaveOutConsoleId(request)
  const copies: readonly (readonly [name: string, text: string | null])[] = [
    ['curl', signer === undefined ? null : formatCurl(origin, copied, signer, followed)],
    ['otcsim curl', signer === undefined ? null : formatOtcsimCurl(origin, copied, signer)],
    ['a test', formatTestLine(copied)],
    ['a scenario step', formatScenarioStep(copied, begins?.at ?? at)],
    ['a fault', request.status === 0 || isRecording ? null : formatFaultLine(origin, request, world)],
  ]
  const facts: readonly (readonly [string, string])[] = [
    ...(why === '' ? [] : [[isFailedRequest(request) ? 'Why' : 'Its order', why] as const]),
    ['Request', requestId],
    ['World time', at],
    ['Wall time', `${wallAt}, after ${formatNumber(request.durationMs)} ms`],
    ['Account', account ?? 'not found'],
    ['X-API-Key', key ?? 'none'],
    ...(hint === null ? [] : [['X-Sim-Hint', hint] as const]),
    ...(fault === null ? [] : [['Fault', fault] as const]),
    ...(lost === null ? [] : [['Answer', lossWords[lost]] as const]),
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
        <span class="muted">Copy as</span>
        {copies.map(([name, text]) =>
          text === null ? null : <CopyButton key={name} text={text} label={name} full={`Copy as ${name}`} />,
        )}
      </p>
      <p>
        <Button class="quiet" onClick={() => session.show({ moment: { sequence: worldSequence, at } })}>
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

/** What a fault did to the answer of a request, and when. */
const lossWords = {
  before: 'never came: the fault struck before the request was carried out, and nothing was',
  after: 'did not reach its caller: the fault struck after the request was carried out',
  cut: 'cut off on its way: only a part reached its caller',
} as const

function Body({ title, text }: { readonly title: string; readonly text: string }) {
  if (text === '') return null
  return (
    <>
      <h2>{title}</h2>
      <section class="body" aria-label={title} tabIndex={0}>
        <pre>{indentJson(text)}</pre>
      </section>
    </>
  )
}
