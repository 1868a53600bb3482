/**
 * The filter of a cancel-all as it was given. Throws a TypeError when a field of it is undefined: JSON would leave the
 * field out, and what was meant for one asset would cancel everything.
 */
export function checkFilter<Filter extends object>(filter: Filter | undefined): Filter | undefined {
  for (const [name, value] of Object.entries(filter ?? {})) {
    if (value === undefined) throw new TypeError(`${name} is undefined; leave it out to cancel everything`)
  }
  return filter
}
