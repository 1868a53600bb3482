import { isReadingKey, type ReadingKey, type Readings } from './readings.ts'

/** Called for each look-up of a reading, with the value that was found. */
type LookupListener = (key: ReadingKey, value: string) => void

/**
 * Returns readings with equal values that call `onLookup` for each look-up. A caller that looks a reading up only
 * where it decides something thereby says which readings a request depends on. Copying them by spreading looks all of
 * them up.
 */
export function watchReadings(readings: Readings, onLookup: LookupListener): Readings {
  const watched = new Proxy(readings, {
    get: (target, name) => {
      if (typeof name !== 'string' || !isReadingKey(name)) return undefined
      const value = target[name]
      onLookup(name, value)
      return value
    },
  })
  watchedOnes.add(watched)
  return watched
}

/**
 * Returns whether look-ups of these readings are watched. A short cut that looks at many readings at once must not be
 * taken then, because a request depends on few of them.
 */
export function areWatched(readings: Readings): boolean {
  return watchedOnes.has(readings)
}

const watchedOnes = new WeakSet<Readings>()
