import { isReadingKey, type ReadingKey, type Readings } from './readings.ts'

/** Is told of each look-up of a reading, with the value that was found. */
type LookupListener = (key: ReadingKey, value: string) => void

/**
 * Returns readings with equal values, of which each look-up is told. Whoever looks a reading up only where it decides
 * something thereby says which readings a request has met. A copy by spreading looks all of them up.
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
 * Returns whether look-ups are told. A short cut that looks at many readings at once must not be taken then, because
 * most of those are not met.
 */
export function areWatched(readings: Readings): boolean {
  return watchedOnes.has(readings)
}

const watchedOnes = new WeakSet<Readings>()
