import type { Figure } from './form.ts'

/*
 * Figures of the form that are to be empty, and the only list of exceptions, each with its reason. A place without a
 * reason fails, and so does a reason without a place.
 */

type Reasons = { readonly [figure: string]: { readonly [place: string]: string } }

export const reasons: Reasons = {
  'shapes of at least 4 fields that are declared twice': {
    'kind left operator right':
      'arithmetic and comparisons are two kinds of expression, each with operators of its own',
    'assetExposure availableBalance dailyVolume exposure orderSize orderValue':
      'the engine has integers of three kinds for the six checks, the wire decimals with words; the names are held by CheckName',
  },
  'names of exported types that several files declare': {},
  'files under 25 lines with one importer, in their own folder': {
    'src/cli/run/run-worker.ts': 'the entry of a thread: a bundle of its own',
    'src/world/shipped/read-shipped.ts': 'the build puts another module in its place',
  },
  'Number(x[i]) outside tables and numeric': {
    'src/market/recordings/trades.ts': 'cells of a file become numbers',
  },
  'words of exported types that the glossary lacks': {},
  'places that reach into Node or a library': {},
}

/** Places that nobody has given a reason for, and reasons for places that are gone. */
export function withoutReason(figures: readonly Figure[], given: Reasons = reasons): readonly string[] {
  return Object.entries(given).flatMap(([name, known]) => {
    const places = figures.find((figure) => figure.name === name)?.places ?? []
    const keys = places.map((place) => /^(?:src\/[^\s:]+|[^:]+)/.exec(place)?.[0] ?? place)
    return [
      ...places
        .filter((_, index) => !Object.hasOwn(known, keys[index] ?? ''))
        .map((place) => `${name}: ${place}`),
      ...Object.keys(known)
        .filter((key) => !keys.includes(key))
        .map((key) => `no longer needs a reason: ${key}`),
    ]
  })
}
