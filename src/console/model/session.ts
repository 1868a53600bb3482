import { applyChanges } from '../../api/json.ts'
import type { Note } from '../../api/noted-moments.ts'
import { describeOutcome } from '../../api/request-words.ts'
import { type AdminApi, type AdminMethod, AdminProblem } from './admin-api.ts'
import type { Span } from './chart-data.ts'
import type { AccountKeys, Advance, Snapshot, View } from './documents.ts'
import { findWorldAt } from './lineage.ts'
import { createMessageReader } from './message-reader.ts'
import { readOthers } from './read-others.ts'
import { depth, readHistory, readLineage, readPrices, readRequests, readView } from './read-world.ts'
import { findSelected } from './reveal.ts'
import { createSettings, type Settings } from './settings.ts'
import { SharedNotes } from './shared-notes.ts'
import { type ConsoleState, createStore, createWorldState, emptyHistory, type Store } from './state.ts'
import { computeStripSpan } from './strip.ts'
import { findMoment, findNextFailure, listFailures, momentAt, shiftMoment, stepMoment } from './timeline.ts'
import type { CallAnswer, VenueCall } from './venue-call.ts'

/** Delay in milliseconds between the first change and the refresh that reads it together with others. */
const refreshDelayMillis = 120
/** Prices are read again this often where nothing else changes. */
const pricesEveryMillis = 5000
const retryMillis = [500, 1000, 2000, 5000]

/**
 * Keeps the page up to date: it follows the world's events and reads again whatever they affect. After an
 * interruption it reads everything. Time travel only changes which moment is read.
 */
export class Session {
  readonly store: Store<ConsoleState>
  readonly api: AdminApi
  readonly settings: Store<Settings>
  /** Instant under the pointer, in the chart or the strip; not part of what the page shows. */
  readonly pointer = createStore<{ readonly at: number | null }>({ at: null })
  private readonly signal: AbortSignal
  private stream = new AbortController()
  /** View of the present as the stream last reported it; null before the first report. */
  private latest: View | null = null
  private pricesReadMillis = 0
  private hasBroken = false
  private failedAttempts = 0
  /** Notes on moments of the shown world that the server keeps, and those that only the address has. */
  readonly notes: SharedNotes
  private isReading = false
  private isStale = false
  /** Whether what the address has selected is still to be shown, once it is known. */
  private isSelecting = false
  private scheduledRefresh: ReturnType<typeof setTimeout> | null = null

  constructor(
    store: Store<ConsoleState>,
    api: AdminApi,
    signal: AbortSignal,
    settings: Store<Settings> = createSettings(null),
  ) {
    this.store = store
    this.api = api
    this.settings = settings
    this.signal = signal
    this.notes = new SharedNotes(store)
  }

  /** Follows and reads the world until the signal aborts. */
  start(): void {
    this.signal.addEventListener('abort', () => this.stream.abort())
    this.followEvents()
    this.select({})
  }

  /** Shows an order, quote or request with its account and asset, and the span of its life, once these are known. */
  select(change: Partial<Pick<ConsoleState, 'selected' | 'inspected'>>): void {
    this.store.set(change)
    const { selected, inspected } = this.store.get()
    this.isSelecting = selected !== null || inspected !== null
    this.refresh()
  }

  private showSelected(): void {
    this.isSelecting = false
    const found = findSelected(this.store.get())
    const { selected, inspected, asset, account } = this.store.get()
    if (found === null)
      this.showError(
        `There is no ${selected === null ? `request ${inspected}` : `${selected.kind} ${selected.id}`} in this world`,
      )
    else {
      this.store.set(found)
      if ((found.asset ?? asset) !== asset || (found.account ?? account) !== account) this.followEvents()
      this.isStale = true
    }
  }

  /** Uses an admin token from now on, and reads everything with it. */
  authenticate(token: string): void {
    this.api.token = token
    this.followEvents()
    this.refresh()
  }

  /** Shows another world, account, asset or moment. */
  show(
    change: Partial<Pick<ConsoleState, 'world' | 'account' | 'asset' | 'moment' | 'selected' | 'inspected'>>,
  ): void {
    const { world, account, asset } = this.store.get()
    const isElsewhere = change.world !== undefined && change.world !== world
    this.store.set(isElsewhere ? { ...createWorldState(change.world), ...change } : change)
    if (isElsewhere) this.notes.forget()
    const now = this.store.get()
    if (isElsewhere || now.account !== account || now.asset !== asset) this.followEvents()
    else if (now.moment === null && this.latest !== null) this.store.set({ view: this.latest })
    this.refresh()
  }

  /** Shows a span of the world's time in chart and strip, or all of it. */
  zoom(span: Span | null): void {
    this.store.set({ span })
    this.refresh()
  }

  /** Shows a span in chart and strip, limited to the world's time; a span that covers all of it shows all. */
  zoomAround({ from, to }: Span): void {
    const { begins, live } = this.store.get()
    const whole = computeStripSpan(begins, live)
    if (whole === null || to - from < 10) return
    const isWhole = from <= whole.from && to >= whole.to
    this.zoom(
      isWhole
        ? null
        : { from: Math.round(Math.max(from, whole.from)), to: Math.round(Math.min(to, whole.to)) },
    )
  }

  /** Shows the moment at a position of the scrubber. */
  scrub(position: number): void {
    const { moments, begins } = this.store.get()
    if (begins !== null) this.show({ moment: momentAt(moments, begins, position) })
  }

  /** Shows the next or the previous moment. */
  step(by: 1 | -1): void {
    const { moments, begins, moment } = this.store.get()
    if (begins !== null) this.show({ moment: stepMoment(moments, begins, moment, by) })
  }

  /** Moves the shown moment in the past; at the present, advances the world if its clock is manual. */
  shift(byMillis: number): void {
    const { moments, begins, moment, live, view, isRecording } = this.store.get()
    if (moment === null && byMillis > 0) {
      if (isRecording) return
      if (view?.clock.mode === 'realtime') this.showMessage('This clock runs by itself: pause it to step')
      else this.act('POST', '/clock/advance', { byMs: byMillis })
    } else if (begins !== null && live !== null)
      this.show({ moment: shiftMoment(moments, begins, moment ?? live, byMillis, live.at) })
  }

  /** Shows the next moment in the past; at the present, advances a manual clock to the next event. */
  goToNextEvent(): void {
    const { moment, view, isRecording } = this.store.get()
    if (moment !== null) this.step(1)
    else if (isRecording) return
    else if (view?.clock.mode === 'realtime') this.showMessage('This clock runs by itself: pause it to step')
    else this.act('POST', '/clock/advance', { toNext: true })
  }

  /** Shows the next or the previous failure. */
  goToFailure(by: 1 | -1): void {
    const { moments, requests, moment } = this.store.get()
    const found = findNextFailure(listFailures(moments, requests), moment, by)
    if (found === null) this.showMessage('Nothing has failed in this world')
    else this.show({ moment: found })
  }

  /** Shows the moment of an instant in the past. */
  goTo(instant: string): void {
    const { moments, begins, live } = this.store.get()
    if (begins !== null && live !== null) this.show({ moment: findMoment(moments, begins, instant, live.at) })
  }

  /** Sends a request of this world to the admin API and reports the outcome. Returns whether it succeeded. */
  async act(method: AdminMethod, path: string, body?: object, done?: string): Promise<boolean> {
    const sent = method === 'GET' || method === 'DELETE' ? body : (body ?? {})
    if ((await this.ask<object>(method, this.path(path), sent)) === null) return false
    if (done !== undefined) this.showMessage(done)
    else if (this.store.get().message?.isBad === true) this.store.set({ message: null })
    this.refresh()
    return true
  }

  /**
   * Sends a signed request to the venue as the shown account, and shows it in the request log. What signs is loaded with
   * the first. Returns null when no answer comes, which is reported.
   */
  async call(call: VenueCall): Promise<CallAnswer | null> {
    const { world, account, keys: all } = this.store.get()
    const keys = all.find(({ id }) => id === account)?.keys ?? []
    try {
      const { callVenue } = await import('./venue-call.ts')
      const reply = await callVenue(this.api, call, { world, keys, signal: this.signal })
      if (reply.request !== null) this.store.set({ inspected: reply.request })
      return reply
    } catch (failure) {
      this.showError(failure instanceof Error ? failure.message : String(failure))
      return null
    } finally {
      this.refresh()
    }
  }

  /** Sends a request to the admin API. Returns null when it fails, which is reported. */
  ask<Answer>(method: AdminMethod, path: string, body?: object): Promise<Answer | null> {
    return this.attempt(() => this.api.ask<Answer>(method, path, body))
  }

  /** Returns the result of some work, or null when it fails, which is reported. */
  async attempt<Answer>(work: () => Promise<Answer>): Promise<Answer | null> {
    try {
      return await work()
    } catch (failure) {
      this.report(failure)
      return null
    }
  }

  /** Takes a snapshot of the shown moment, or of another world’s present. Returns null when that fails. */
  async takeSnapshot(world = this.store.get().world): Promise<Snapshot | null> {
    const { moment, world: shown, ancestors } = this.store.get()
    const isPast = moment !== null && world === shown
    const body = isPast ? { sequence: moment.sequence, at: moment.at } : {}
    const from = isPast ? findWorldAt(world, ancestors ?? [], moment) : world
    return await this.attempt(async () => {
      const path = `/worlds/${encodeURIComponent(from)}/snapshots`
      const kept = await this.api.ask<Snapshot>('POST', path, body)
      await this.readSnapshots()
      return kept
    })
  }

  /** Reads the world's journal. Returns null when that fails. */
  readJournal(): Promise<string | null> {
    return this.attempt(() => this.api.text(this.path('/journal')))
  }

  /**
   * Creates a world in the state of the shown moment, or of another world’s present, and shows it over its parent. Account,
   * asset and span stay as they are.
   */
  async fork(world = this.store.get().world): Promise<void> {
    const { world: shown, account, asset, span } = this.store.get()
    const kept = await this.takeSnapshot(world)
    if (kept === null) return
    const body = { fromSnapshot: kept.id, clock: { mode: 'manual' } }
    const made = await this.ask<{ readonly id: string }>('POST', '/worlds', body)
    if (made === null) return
    this.show({ world: made.id, ...(world === shown ? { account, asset } : {}) })
    this.store.set({ compared: world, ...(world === shown ? { span } : {}) })
    this.showMessage(`The world ${made.id} goes on from #${kept.sequence}; its clock stands still`)
  }

  /** Lays another world over the shown one in chart, book and equity; null for none. */
  compare(world: string | null): void {
    this.store.set({ compared: world, others: null })
    this.refresh()
  }

  /**
   * Notes a text at the shown moment, beside the journal; an empty one removes the note. A recording has it in the
   * address alone.
   */
  async note(text: string): Promise<void> {
    const { moment, live, isRecording } = this.store.get()
    const here = moment ?? live
    if (here === null) return
    const note = { sequence: here.sequence, at: here.at, text }
    const path = this.path('/notes')
    if (!isRecording && (await this.ask('POST', path, { notes: [note] })) === null) return
    if (path === this.path('/notes')) this.notes.put(note)
  }

  async restore(id: string): Promise<void> {
    if (await this.act('POST', `/snapshots/${id}/restore`, {}, `The world is what it was in ${id}`))
      this.show({ moment: null })
  }

  showMessage(text: string): void {
    this.store.set({ message: { text, isBad: false } })
  }

  /** Shows what the venue answered. */
  showReply({ status, text }: CallAnswer): void {
    const words = describeOutcome({
      method: '',
      path: '',
      query: '',
      requestBody: '',
      status,
      responseBody: text,
    })
    this.store.set({ message: { text: status >= 400 ? words : `${status} ${words}`, isBad: status >= 400 } })
  }

  showError(text: string): void {
    this.store.set({ message: { text, isBad: true } })
  }

  /**
   * Reports a failure. A server that does not respond gets no message, because the page shows that state for as
   * long as it lasts.
   */
  private report(failure: unknown): void {
    if (failure instanceof AdminProblem && failure.status === 0) this.handleFailure(failure)
    else this.showError(failure instanceof Error ? failure.message : String(failure))
  }

  path(rest: string): string {
    return `/worlds/${encodeURIComponent(this.store.get().world)}${rest}`
  }

  /**
   * Reads everything that may have changed: one reading at a time, and once more when something changed
   * meanwhile.
   */
  async refresh(): Promise<void> {
    if (this.signal.aborted) return
    if (this.isReading) {
      this.isStale = true
      return
    }
    this.isReading = true
    try {
      do {
        this.isStale = false
        await this.read()
      } while (this.isStale && !this.signal.aborted)
    } catch (failure) {
      this.handleFailure(failure)
    } finally {
      this.isReading = false
    }
  }

  private async read(): Promise<void> {
    const { store, api } = this
    if (this.hasBroken || store.get().keys.length === 0) await this.readWorlds()
    // The stream reports the present by itself, once it has reported it as a whole.
    const isStreamed = store.get().moment === null && this.latest !== null
    if (!isStreamed && !(await readView(store, api))) {
      this.isStale = true
      return
    }
    if (store.get().ancestors === null) await readLineage(store, api)
    this.pricesReadMillis = Date.now()
    await Promise.all([readHistory(store, api), readPrices(store, api), readRequests(store, api)])
    await readOthers(store, api)
    if (!store.get().isPastWhole) this.scheduleRefresh()
    else if (this.isSelecting) this.showSelected()
  }

  private async readWorlds(): Promise<void> {
    const { worlds, version } = await this.api.ask<{
      readonly worlds: readonly string[]
      readonly version: string
    }>('GET', '/info')
    const { world } = this.store.get()
    const [first = 'default'] = worlds
    const isThere = worlds.includes(world)
    if (!isThere) {
      this.showError(`There is no world ${world}`)
      this.latest = null
    }
    this.store.set({
      connection: 'live',
      worlds,
      version,
      ...(this.hasBroken ? emptyHistory : {}),
      ...(isThere ? {} : createWorldState(first)),
    })
    this.hasBroken = false
    const shown = this.store.get().world
    const { accounts } = await this.api.ask<{ readonly accounts: readonly AccountKeys[] }>(
      'GET',
      this.path('/accounts'),
    )
    const { failure } = await this.api.ask<Pick<ConsoleState, 'failure'>>('GET', this.path('/failure'))
    if (this.store.get().world !== shown) return
    this.store.set({ keys: accounts, failure })
    await this.readSnapshots()
  }

  async readSnapshots(): Promise<void> {
    const shown = this.store.get().world
    const { snapshots } = await this.api.ask<{ readonly snapshots: readonly Snapshot[] }>(
      'GET',
      this.path('/snapshots'),
    )
    if (this.store.get().world === shown) this.store.set({ snapshots })
  }

  /**
   * Follows the world's events, reconnecting when the stream ends. What then comes under the same name may be
   * another world.
   */
  private async followEvents(): Promise<void> {
    this.stream.abort()
    const stream = new AbortController()
    this.stream = stream
    this.latest = null
    while (!stream.signal.aborted && !this.signal.aborted) {
      const read = createMessageReader()
      const { account, asset } = this.store.get()
      const words = new URLSearchParams(Object.entries({ account, asset }).filter(([, word]) => word !== ''))
      words.set('depth', String(depth))
      try {
        await this.api.stream(this.path(`/changes?${words}`), stream.signal, (piece) => {
          this.failedAttempts = 0
          for (const message of read(piece)) if (!stream.signal.aborted) this.handleMessage(message)
        })
      } catch (failure) {
        if (stream.signal.aborted) return
        this.latest = null
        if (failure instanceof AdminProblem && failure.status === 404) this.refresh()
        else this.handleFailure(failure)
        if (this.store.get().connection === 'guarded') return
      }
      if (stream.signal.aborted) return
      this.hasBroken = true
      await wait(retryMillis[Math.min(this.failedAttempts, retryMillis.length - 1)] ?? 5000)
      this.failedAttempts += 1
    }
  }

  private handleMessage(message: string): void {
    const [, json] = /^: advancing (\{.*\})$/.exec(message) ?? []
    const advancing: Advance | null = json === undefined ? null : JSON.parse(json)
    if (advancing !== null || this.store.get().advancing !== null) this.store.set({ advancing })
    const [, data] = /^event: changed\ndata: (.*)$/.exec(message) ?? []
    if (data !== undefined) this.applyChange(JSON.parse(data))
  }

  private applyChange({ isNews, view: changes, worlds, snapshots, notes }: ChangeMessage): void {
    const { store } = this
    if (notes !== undefined) this.notes.keep(notes)
    const latest: View =
      changes === undefined ? this.latest : JSON.parse(JSON.stringify(applyChanges(this.latest, changes)))
    this.latest = latest
    const { moment, snapshots: known } = store.get()
    const shown = moment === null ? { view: latest, account: latest.account ?? '', asset: latest.asset } : {}
    store.set({ ...shown, live: { sequence: latest.sequence, at: latest.now }, ...(worlds && { worlds }) })
    if (snapshots !== undefined && snapshots.join() !== known.map(({ id }) => id).join())
      this.readSnapshots().catch((failure) => this.handleFailure(failure))
    if (isNews) this.scheduleRefresh()
    else if (Math.abs(Date.now() - this.pricesReadMillis) >= pricesEveryMillis) this.scheduleRefresh()
  }

  private scheduleRefresh(): void {
    this.scheduledRefresh ??= setTimeout(() => {
      this.scheduledRefresh = null
      this.refresh()
    }, refreshDelayMillis)
  }

  private handleFailure(failure: unknown): void {
    if (!(failure instanceof AdminProblem)) throw failure
    if (failure.status === 401) this.store.set({ connection: 'guarded' })
    else if (failure.status === 0 || failure.status >= 500)
      this.store.set({ connection: 'lost', keys: [], advancing: null })
    else this.showError(failure.message)
  }
}

const wait = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

/** Event of the stream: changes of the view, and when something happened the ids of worlds and snapshots, and the notes. */
interface ChangeMessage {
  readonly isNews: boolean
  readonly view?: unknown
  readonly worlds?: readonly string[]
  readonly snapshots?: readonly string[]
  readonly notes?: readonly Note[]
}
