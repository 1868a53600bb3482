import type { ZoneLookup } from '../../market/recordings/table-times.ts'

/**
 * Returns how far a zone of the tz database is ahead of UTC at a local time; null for an unknown zone, `never` for a
 * time that is skipped when clocks are set forward.
 */
export const findZoneOffset: ZoneLookup = (zone, localMillis, isLater) => {
  const format = createFormat(zone)
  if (format === null) return null
  // The zone's offsets around this time; an instant counts when it shows the local time.
  const [before, after] = [localMillis - dayMillis, localMillis + dayMillis].map(
    (instant) => readClock(format, instant) - instant,
  )
  const offsets = [...new Set([before, after])].filter(
    (offset): offset is number =>
      offset !== undefined && readClock(format, localMillis - offset) === localMillis,
  )
  if (offsets.length === 0) return 'never'
  return isLater ? Math.min(...offsets) : Math.max(...offsets)
}

const dayMillis = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat | null>()

function createFormat(zone: string): Intl.DateTimeFormat | null {
  const known = formats.get(zone)
  if (known !== undefined) return known
  let format: Intl.DateTimeFormat | null = null
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  formats.set(zone, format)
  return format
}

/** Returns what the clocks of a zone show at an instant, as if it were UTC. */
function readClock(format: Intl.DateTimeFormat, instant: number): number {
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const partOf = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  const fraction = ((instant % 1000) + 1000) % 1000
  return (
    Date.UTC(
      partOf('year'),
      partOf('month') - 1,
      partOf('day'),
      partOf('hour'),
      partOf('minute'),
      partOf('second'),
    ) + fraction
  )
}
