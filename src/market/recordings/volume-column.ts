import type { FileOptions } from './file-options.ts'
import type { RecordingProblem } from './interpretation.ts'
import type { KnownLayout, VolumeKind } from './known-exports.ts'

/*
 * Which column is the volume, and in what it is counted. Names claim it and the rows prove it: an amount in USD
 * divided by the amount of the asset is a price of the candle.
 */

/** Column that may be the volume, with what its name says of it. */
export interface VolumeCandidate {
  readonly column: number
  readonly claim: VolumeKind
}

export interface VolumeColumn {
  /** The column, or -1 for a table without volumes. */
  readonly column: number
  readonly unit: 'asset' | 'usd'
  /** How the unit is known. */
  readonly evidence: 'stated' | 'proved' | 'named' | 'export' | 'assumed' | 'absent'
  /** The column of amounts in USD that proves it; -1 for none. */
  readonly provedBy: number
  /** Of the rows with both amounts, those in which one is several times what the price says. */
  readonly misfits: number
}

/** Rows by which a volume is judged: the low and the high of each, and its figures by column (NaN for none). */
export interface VolumeSample {
  readonly low: readonly number[]
  readonly high: readonly number[]
  readonly figure: (column: number, row: number) => number
}

const noVolume: VolumeColumn = { column: -1, unit: 'asset', evidence: 'absent', provedBy: -1, misfits: 0 }

/** The least number of rows that prove anything about a column. */
const leastRows = 4
/** Ratios are of rounded figures, so that a few of them lie beside the candle. */
const tolerance = 0.02

/** Returns the claim that a column's name (in our spelling) makes of being a volume; null for other columns. */
export function findVolumeClaim(name: string): VolumeKind | null {
  if (/^(tickvol|tick_volume|volume_adi|volume_ma|spread|trades|count)$/.test(name)) return null
  if (/taker|buy_|sell_|^buy|^sell|change|_ma\b|avg|mean/.test(name)) return null
  if (name === 'volumefrom' || name === 'home_notional' || name === 'base_volume' || name === 'volume_base')
    return 'asset'
  if (name === 'volumeto' || name === 'foreign_notional' || name === 'volume_currency') return 'usd'
  if (/^(quote_(asset_)?vol(ume)?|vol(ume)?_quote|vol_ccy_quote|quote_qty)$/.test(name)) return 'usd'
  if (/^(vol|volume)_(in_)?(usd|usdt|usdc|busd|tusd|fdusd|dai|eur|gbp|jpy|krw|try|quote)$/.test(name))
    return 'usd'
  if (/^(usd|usdt|quote|dollar)_(vol|volume)$/.test(name)) return 'usd'
  if (/^(volume|vol|v|amount|turnover|vol_ccy|real_volume|value|dollar_volume)$/.test(name)) return 'unknown'
  const ofWhat = /^(?:volume|vol)_([a-z0-9]+)$/.exec(name)?.[1]
  if (ofWhat === undefined || isDerived.test(ofWhat)) return null
  return /^(traded|total|sum|contracts?|lots?|units?|real)$/.test(ofWhat) ? 'unknown' : 'asset'
}

/** What is reckoned from volumes, or is a part of one: averages, indicators, sums of a rolling day, one side. */
const isDerived =
  /^((s|e|w|h)?ma\d*|vwap|vwma|obv|adi?|cmf|fi|em|vpt|mfi|nvi|pvi|rsi|roc|osc|oscillator|std|stdev|var|median|z|zscore|rank|log|norm|normalized|scaled|pct|percent|chg|diff|delta|ratio|imbalance|trend|signal|spike|profile|cum|cumulative|weighted|up|down|bid|ask|buy|sell|buys|sells|long|short|maker|\d+(m|min|h|hr|hrs|d|w)?)$/

/**
 * Chooses the column of the volume among the candidates, in the order of the table. Where the rows contradict a name,
 * or two readings fit, there is a problem that names the option which decides.
 */
export function chooseVolume(
  candidates: readonly VolumeCandidate[],
  sample: VolumeSample,
  known: KnownLayout | null,
  { columns = {}, volumeIn }: FileOptions,
  nameOf: (column: number) => string,
): VolumeColumn | RecordingProblem {
  const filled = candidates.filter(({ column }) =>
    sample.low.some((_, row) => sample.figure(column, row) > 0),
  )
  if (columns.volume === 'none') return noVolume
  const pair = findPair(filled, sample)
  if (columns.volume !== undefined) return chooseStated(candidates, pair, volumeIn)
  if (pair !== null) {
    if (volumeIn === 'usd')
      return {
        column: pair.usd,
        unit: 'usd',
        evidence: 'proved',
        provedBy: pair.asset,
        misfits: pair.misfits,
      }
    const isContradicted = isClaimed(filled, pair.asset, 'usd') || isClaimed(filled, pair.usd, 'asset')
    if (isContradicted)
      return askFor(
        `${nameOf(pair.usd)} divided by ${nameOf(pair.asset)} is the price, so their names are exchanged or of other units`,
      )
    return {
      column: pair.asset,
      unit: 'asset',
      evidence: 'proved',
      provedBy: pair.usd,
      misfits: pair.misfits,
    }
  }
  const prices = filled.filter(({ column }) => isPriceLike(column, sample))
  const open = filled.filter((candidate) => candidate.claim !== 'count' && !prices.includes(candidate))
  if (open.length === 0) {
    const [price] = prices
    if (price === undefined) return noVolume
    return askFor(
      `every ${nameOf(price.column)} is a price between the low and the high of its row, and no volume`,
    )
  }
  return chooseUnproved(open, sample, known, volumeIn, nameOf)
}

function chooseUnproved(
  open: readonly VolumeCandidate[],
  sample: VolumeSample,
  known: KnownLayout | null,
  volumeIn: FileOptions['volumeIn'],
  nameOf: (column: number) => string,
): VolumeColumn | RecordingProblem {
  const asset = open.find(({ claim }) => claim === 'asset')
  const usd = open.find(({ claim }) => claim === 'usd')
  const unknown = open.filter(({ claim }) => claim === 'unknown')
  const pairOf = (left: VolumeCandidate | undefined, right: VolumeCandidate | undefined): boolean =>
    left !== undefined && right !== undefined && countSpoken(left.column, right.column, sample) >= leastRows
  const base = asset ?? unknown[0]
  if (base !== undefined && usd !== undefined && pairOf(base, usd))
    return askFor(`${nameOf(usd.column)} divided by ${nameOf(base.column)} is no price of the rows`)
  const plain = unknown.find(
    ({ column }) =>
      asset !== undefined &&
      /^v(ol(ume)?)?$/i.test(nameOf(column)) &&
      /^v(ol(ume)?)?[^a-z]/i.test(nameOf(asset.column)) &&
      !isEqual(column, asset.column, sample),
  )
  if (asset !== undefined && plain !== undefined && volumeIn === undefined)
    return askFor(`${nameOf(plain.column)} and ${nameOf(asset.column)} may each be the volume`)
  if (asset !== undefined && volumeIn !== 'usd')
    return { column: asset.column, unit: 'asset', evidence: 'named', provedBy: -1, misfits: 0 }
  if (usd !== undefined && volumeIn !== 'asset' && unknown.length === 0)
    return { column: usd.column, unit: 'usd', evidence: 'named', provedBy: -1, misfits: 0 }
  if (unknown.length > 1)
    return askFor(`${unknown.map(({ column }) => nameOf(column)).join(' and ')} may each be the volume`)
  const column = (unknown[0] ?? usd ?? asset)?.column ?? -1
  if (volumeIn !== undefined) return { column, unit: volumeIn, evidence: 'stated', provedBy: -1, misfits: 0 }
  if (known?.volumeIn === 'ask') {
    return askFor(
      `${known.name} has volumes of coins in USD and those of other assets in units: say volumeIn: usd or volumeIn: asset`,
      'volumeIn',
    )
  }
  if (known?.volumeIn === 'usd') return { column, unit: 'usd', evidence: 'export', provedBy: -1, misfits: 0 }
  return { column, unit: 'asset', evidence: 'assumed', provedBy: -1, misfits: 0 }
}

function chooseStated(
  candidates: readonly VolumeCandidate[],
  pair: Pair | null,
  volumeIn: FileOptions['volumeIn'],
): VolumeColumn {
  const [stated] = candidates
  const column = stated?.column ?? -1
  if (volumeIn !== undefined) return { column, unit: volumeIn, evidence: 'stated', provedBy: -1, misfits: 0 }
  if (pair !== null && pair.usd === column)
    return { column, unit: 'usd', evidence: 'proved', provedBy: pair.asset, misfits: pair.misfits }
  return {
    column,
    unit: stated?.claim === 'usd' ? 'usd' : 'asset',
    evidence: 'stated',
    provedBy: -1,
    misfits: 0,
  }
}

function askFor(message: string, option: 'columns' | 'volumeIn' = 'columns'): RecordingProblem {
  const remedy = option === 'columns' ? '; say columns: volume=NAME, or volume=none' : ''
  return { row: 1, column: 'volume', message: `${message}${remedy}` }
}

const isClaimed = (candidates: readonly VolumeCandidate[], column: number, claim: VolumeKind): boolean =>
  candidates.some((candidate) => candidate.column === column && candidate.claim === claim)

interface Pair {
  readonly asset: number
  readonly usd: number
  readonly misfits: number
}

/** Finds two columns whose ratio is a price of each row; of several pairs, the one of the largest amounts. */
function findPair(candidates: readonly VolumeCandidate[], sample: VolumeSample): Pair | null {
  let best: Pair | null = null
  let most = 0
  for (const asset of candidates) {
    for (const usd of candidates) {
      if (asset === usd) continue
      const { spoken, fitting, misfits, total } = measureRatio(asset.column, usd.column, sample)
      const isOfCounts = asset.claim === 'count' || usd.claim === 'count'
      if (spoken < (isOfCounts ? leastRows : 1) || fitting < spoken * 0.9 || total <= most) continue
      // Where prices are near 1, both orders fit: names decide.
      if (usd.claim === 'asset' && asset.claim === 'usd' && spoken < leastRows) continue
      const isBoth = fits(usd.column, asset.column, sample)
      if (isBoth && (asset.claim === 'usd' || usd.claim === 'asset')) continue
      best = { asset: asset.column, usd: usd.column, misfits }
      most = total
    }
  }
  return best
}

function fits(asset: number, usd: number, sample: VolumeSample): boolean {
  const { spoken, fitting } = measureRatio(asset, usd, sample)
  return spoken > 0 && fitting >= spoken * 0.9
}

function measureRatio(asset: number, usd: number, sample: VolumeSample) {
  let [spoken, fitting, misfits, total] = [0, 0, 0, 0]
  for (const [row, low] of sample.low.entries()) {
    const [amount, worth] = [sample.figure(asset, row), sample.figure(usd, row)]
    if (!(amount > 0 && worth > 0)) continue
    spoken += 1
    total += amount
    const price = worth / amount
    if (price >= low * (1 - tolerance) && price <= (sample.high[row] ?? 0) * (1 + tolerance)) fitting += 1
    if (price < low / 2 || price > (sample.high[row] ?? 0) * 2) misfits += 1
  }
  return { spoken, fitting, misfits, total }
}

const isEqual = (left: number, right: number, sample: VolumeSample): boolean =>
  sample.low.every((_, row) => Object.is(sample.figure(left, row), sample.figure(right, row)))

const countSpoken = (left: number, right: number, sample: VolumeSample): number =>
  measureRatio(left, right, sample).spoken

/** Returns whether a column lies between low and high in every row that has it, as only prices do. */
function isPriceLike(column: number, sample: VolumeSample): boolean {
  let count = 0
  for (const [row, low] of sample.low.entries()) {
    const value = sample.figure(column, row)
    if (!(value > 0)) continue
    count += 1
    if (value < low || value > (sample.high[row] ?? 0)) return false
  }
  return count >= leastRows * 2
}
