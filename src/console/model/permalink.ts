import { formatNote, type Note, parseNote } from '../../api/noted-moments.ts'
import type { WorldMoment } from './documents.ts'

/** Order or quote that is looked at. */
export interface SelectedItem {
  readonly kind: 'order' | 'quote'
  readonly id: string
}

/** What the address shows after its `#`: which world, which account's view, which moment, and what is selected. */
export interface Permalink {
  readonly world: string | null
  readonly account: string | null
  readonly asset: string | null
  /** Moment that is shown; null for the present. */
  readonly moment: WorldMoment | null
  /** Number of the selected request. */
  readonly request: number | null
  readonly selected: SelectedItem | null
  readonly notes: readonly Note[]
}

export function readPermalink(hash: string): Permalink {
  const words = new URLSearchParams(hash.replace(/^#/, ''))
  const sequence = words.get('seq') ?? ''
  const at = words.get('at') ?? ''
  const [order, quote] = [words.get('order') ?? '', words.get('quote') ?? '']
  const [, number] = /^(?:req_)?(\d{1,15})$/.exec(words.get('request') ?? '') ?? []
  return {
    world: words.get('world'),
    account: words.get('account'),
    asset: words.get('asset'),
    request: number === undefined ? null : Number(number),
    selected:
      order !== '' ? { kind: 'order', id: order } : quote !== '' ? { kind: 'quote', id: quote } : null,
    notes: words.getAll('note').flatMap((note) => parseNote(note) ?? []),
    moment: /^\d{1,15}$/.test(sequence) ? { sequence: Number(sequence), at: isInstant(at) ? at : '' } : null,
  }
}

const isInstant = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)

type Shown = Pick<Permalink, 'moment' | 'request' | 'selected' | 'notes'> & {
  readonly world: string
  readonly account: string
  readonly asset: string
}

export function writePermalink(shown: Shown): string {
  const { world, account, asset, moment, request, selected, notes } = shown
  const words: readonly (readonly [string, string])[] = [
    ['world', world],
    ['seq', moment === null ? '' : String(moment.sequence)],
    ['at', moment?.at ?? ''],
    ['account', account],
    ['asset', asset],
    [selected?.kind ?? 'order', selected?.id ?? ''],
    ['request', request === null ? '' : String(request)],
    ...notes.map((note) => ['note', formatNote(note)] as const),
  ]
  return `#${words
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join('&')}`
}

/** Encodes a value, leaving colons readable, which a fragment may contain. */
const encode = (value: string): string => encodeURIComponent(value).replaceAll('%3A', ':')
