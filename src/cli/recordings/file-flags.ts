import { type FlagOptions, omitUndefined, oneOfTexts, withFlag } from '../../api/options.ts'
import { type FileOptions, fileOptions, parseColumns } from '../../market/recordings/file-options.ts'
import { usageFailure } from '../failure.ts'
import { aFlag, aSwitch, type FlagsOf } from '../flags.ts'

const describeOption = (name: keyof typeof fileOptions.properties): string => {
  const { description } = fileOptions.properties[name]
  const text = description ?? ''
  return `${text.charAt(0).toLowerCase()}${text.slice(1).replace(/\.$/, '')}`
}

/**
 * Creates the flags that say how files of candles or trades are to be read, from the one shape of these options. `shared`
 * goes to the flags that files of recorded books have as well.
 */
export const createFileFlags = <const More extends FlagOptions, const Shared extends FlagOptions>(
  more: More,
  shared: Shared,
) => ({
  columns: aFlag('<pairs>', describeOption('columns'), more),
  times: withFlag(oneOfTexts('open', 'close'), '<end>', describeOption('times'), more),
  zone: aFlag('<zone>', describeOption('zone'), more),
  dates: withFlag(oneOfTexts('day-first', 'month-first'), '<order>', describeOption('dates'), more),
  decimal: withFlag(oneOfTexts('point', 'comma'), '<sign>', describeOption('decimal'), more),
  volumeIn: withFlag(oneOfTexts('asset', 'usd'), '<unit>', describeOption('volumeIn'), more),
  symbol: aFlag('<symbol>', describeOption('symbol'), shared),
  skipBad: aSwitch(describeOption('skipBad'), shared),
  sort: aSwitch(describeOption('sort'), shared),
  dedupe: withFlag(oneOfTexts('first', 'last'), '<row>', describeOption('dedupe'), more),
})

export type FileFlags = Partial<FlagsOf<ReturnType<typeof createFileFlags>>>

/** Reads the options of files from flags. Ends the command for columns that cannot be parsed. */
export function readFileOptions(flags: FileFlags): FileOptions {
  const { columns, times, zone, dates, decimal, volumeIn, symbol, skipBad, sort, dedupe } = flags
  const parsed = columns === undefined ? undefined : parseColumns(columns)
  if (typeof parsed === 'string') throw usageFailure(`--columns: ${parsed}`)
  return omitUndefined({
    ...{ columns: parsed, times, zone, dates, decimal, volumeIn, symbol, dedupe },
    skipBad: skipBad === true ? true : undefined,
    sort: sort === true ? true : undefined,
  })
}
