import type { WorldMoment } from './documents.ts'

/** What the address shows after its `#`: which world, which account's view, and which moment. */
export interface Permalink {
  readonly world: string | null
  readonly account: string | null
  readonly asset: string | null
  /** Moment that is shown; null for the present. */
  readonly moment: WorldMoment | null
  readonly request: number | null
}

export function readPermalink(hash: string): Permalink {
  const words = new URLSearchParams(hash.replace(/^#/, ''))
  const sequence = words.get('seq') ?? ''
  const at = words.get('at') ?? ''
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(at)
  return {
    world: words.get('world'),
    account: words.get('account'),
    asset: words.get('asset'),
    request: /^\d{1,15}$/.test(words.get('request') ?? '') ? Number(words.get('request')) : null,
    moment: /^\d{1,15}$/.test(sequence) ? { sequence: Number(sequence), at: isInstant ? at : '' } : null,
  }
}

export function writePermalink(
  world: string,
  account: string,
  asset: string,
  moment: WorldMoment | null,
): string {
  const words: [string, string][] = [['world', world]]
  if (moment !== null) words.push(['seq', String(moment.sequence)], ['at', moment.at])
  words.push(['account', account], ['asset', asset])
  return `#${words
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join('&')}`
}

/** Encodes a value, leaving colons readable, which a fragment may contain. */
const encode = (value: string): string => encodeURIComponent(value).replaceAll('%3A', ':')
