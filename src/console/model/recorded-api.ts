import { compareMoments, type Note } from '../../api/noted-moments.ts'
import { type AdminApi, AdminProblem } from './admin-api.ts'
import type { HistoryPage, HistoryPrices, RequestRow, View, WorldMoment } from './documents.ts'
import type { ConsoleState } from './state.ts'

/**
 * Recording of a world for a page without a server: the admin API's responses for each moment, without any
 * secret. Views of one moment differ by account; for different assets only the books differ.
 */
export interface WorldRecording {
  readonly version: string
  readonly world: string
  readonly failure: ConsoleState['failure']
  readonly history: HistoryPage
  readonly requests: readonly RequestRow[]
  readonly notes: readonly Note[]
  readonly prices: readonly HistoryPrices[]
  /** Recorded moments in order; the last is the present. */
  readonly moments: readonly RecordedMoment[]
  readonly journal: string
}

export interface RecordedMoment {
  readonly place: WorldMoment
  readonly views: readonly View[]
  readonly books: { readonly [asset: string]: View['book'] }
}

/** Creates the admin API of a recording. It returns what was recorded, and refuses to change anything. */
export function createRecordedApi(recording: WorldRecording): AdminApi {
  return {
    venueUrl: '',
    token: '',
    ask: async (method, path) => {
      if (method !== 'GET') throw new AdminProblem(405, cannotChange)
      const url = new URL(path, 'http://recording')
      // The caller expects the response of this path, as it does of a server.
      return JSON.parse(JSON.stringify(findAnswer(recording, url.pathname, url.searchParams)))
    },
    text: async () => recording.journal,
    stream: (_path, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  }
}

/** Reads a file as text, unpacking it if it is compressed by gzip. */
export async function readPlainText(file: Blob): Promise<string> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  const isPacked = first === 0x1f && second === 0x8b
  const stream = isPacked ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream()
  return await new Response(stream).text()
}

const cannotChange =
  'This page is a recording: otcsim show, with the journal beside it, opens the world itself'

function findAnswer(recording: WorldRecording, path: string, words: URLSearchParams): object {
  const { failure, history, prices, requests, version, world } = recording
  switch (path.replace(/^\/worlds\/[^/]*/, '')) {
    case '/info':
      return { worlds: [world], version }
    case '/accounts':
      return {
        accounts: (recording.moments.at(-1)?.views ?? []).map(({ account }) => ({ id: account, keys: [] })),
      }
    case '/failure':
      return { failure }
    case '/snapshots':
      return { snapshots: [] }
    case '/requests':
      return { requests: requests.filter(({ sequence }) => sequence > Number(words.get('since') ?? 0)) }
    case '/history':
      return {
        ...history,
        items: history.items.filter(({ index }) => index >= Number(words.get('from') ?? 0)),
      }
    case '/history/prices':
      return findPrices(prices, words)
    case '/view':
      return findView(recording, words)
    default:
      throw new AdminProblem(404, 'The recording does not have this')
  }
}

/**
 * Returns an asset's recorded prices with the fills of one account. A recording has every change of the prices,
 * and everybody's fills.
 */
function findPrices(prices: readonly HistoryPrices[], words: URLSearchParams): object {
  const recorded = prices.find(({ asset }) => asset === words.get('asset'))
  const fills = recorded?.fills.filter(({ account }) => account === words.get('account'))
  return { ...recorded, fills }
}

/**
 * Returns the view of the newest recorded moment that is not after the requested one, or of the first moment
 * when all are after it.
 */
function findView({ moments }: WorldRecording, words: URLSearchParams): View {
  const sequence = words.get('sequence')
  const requested = { sequence: Number(sequence), at: words.get('at') ?? '' }
  const last = moments.at(-1)
  const found =
    sequence === null ? last : (moments.findLast(({ place }) => isReached(place, requested)) ?? moments[0])
  const views = found?.views ?? []
  const view = views.find(({ account }) => account === words.get('account')) ?? views[0]
  if (found === undefined || view === undefined) throw new AdminProblem(404, 'There is no such account')
  const asset = words.get('asset') ?? view.asset
  const isPast = sequence !== null
  return { ...view, asset, isPast, book: found.books[asset] ?? view.book }
}

const isReached = (place: WorldMoment, requested: WorldMoment): boolean =>
  requested.at === '' ? place.sequence <= requested.sequence : compareMoments(place, requested) <= 0
