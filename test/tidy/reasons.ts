import type { Figure } from './form.ts'

/*
 * The only list of exceptions from the form of the sources, each with its reason. A place without a reason fails, and so
 * does a reason without a place.
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
  'files with one importer next door, of 300 lines together': {
    'src/cli/recordings/json-table.ts': 'one format of files, beside the reading of texts',
    'src/cli/recordings/prepared-candles.ts': 'what is kept of a file, apart from how it is read',
    'src/cli/recordings/zone-offset.ts': 'the one place that asks for zones by their names',
    'src/world/shipped/read-shipped.ts': 'the build puts another module in its place',
    'src/testing/playwright.ts': 'an entry of the package, which others import',
    'src/testing/join-venue.ts': 'a server of another process, apart from the fixtures that choose it',
    'src/testing/live-for.ts': 'what users of the package call, and nothing in it',
    'src/metrics/arrival-ticks.ts': 'growing columns with a naive twin in the tests',
    'src/backtest/run/notebook.ts': 'what a strategy draws and notes, apart from when its hooks are called',
    'src/backtest/run/timers.ts': 'a queue of its own, apart from when hooks are called',
    'src/engine/series/packed-rows.ts':
      'a coding of integers, which a test holds to what it was given, apart from the prints of a window',
    'src/engine/recorded/share-behind.ts':
      'formulas of one source, which a twin of the queue in the tests has written anew',
    'src/market/books/book-side.ts': 'levels in pages, which a test holds to a plain map',
    'src/market/books/book-indexer.ts':
      'growing columns with a naive twin in the tests, apart from the chunks of rows',
    'src/market/flow/order-sizes.ts': 'one distribution, told apart from when takers come and on which side',
    'src/market/flow/price-moves.ts':
      'what takers see of the price, with a cache of its own, apart from what they do',
    'src/backtest/run-strategies.ts':
      'what the entry loads when it is first called, and never with a strategy',
    'src/backtest/report/book-layers.ts': 'what is drawn of a recorded book, apart from fills and own quotes',
    'src/metrics/realism/judge-figures.ts':
      'figures that a program of the tests prints anew, and nobody edits',
    'src/metrics/realism/window-statistics.ts':
      'statistics of any short window, beside the two tables of features that use them',
    'src/server/faults-on-the-wire.ts': 'the one place that cuts a connection off',
    'src/console/panels/controls-panel.tsx':
      'a panel of its own in the part of the console that is loaded later',
    'src/console/panels/equity-overlay.tsx':
      'a panel of its own in the part of the console that is loaded later',
    'src/console/panels/fault-form.tsx': 'a panel of its own in the part of the console that is loaded later',
    'src/console/panels/order-lines.tsx':
      'a panel of its own in the part of the console that is loaded later',
    'src/console/panels/ticket-panel.tsx':
      'a panel of its own in the part of the console that is loaded later',
    'src/console/panels/worlds-panel.tsx':
      'a panel of its own in the part of the console that is loaded later',
  },
  'functions called ...Of that compute': {
    'src/world/logs/test-failure.ts':
      '`seedOf` is an export of `otcsim/testing`, whose name tests of others use',
  },
}

/**
 * What is wrong with a figure, a line a place: places without a reason beyond the limit, each with its remedy, and
 * reasons for places that are gone.
 */
export function breaches(figure: Figure, given: Reasons = reasons): readonly string[] {
  const { name, places, limit, remedy } = figure
  if (limit === null) return []
  const known = given[name] ?? {}
  const keys = places.map((place) => /^(?:src\/[^\s:]+|[^:]+)/.exec(place)?.[0] ?? place)
  const open = places.filter((_, index) => !Object.hasOwn(known, keys[index] ?? ''))
  return [
    ...(open.length > limit ? open.map((place) => `${name}: ${place}: ${remedy}`) : []),
    ...Object.keys(known)
      .filter((key) => !keys.includes(key))
      .map((key) => `no longer needs a reason: ${key}`),
  ]
}
