/**
 * The filter of a cancel-all, as given. Throws a TypeError when one of its fields is undefined: JSON would leave that
 * field out, and a cancel meant for one asset would cancel everything.
 */
export function checkFilter<Filter extends object>(filter: Filter | undefined): Filter | undefined {
  for (const [name, value] of Object.entries(filter ?? {})) {
    if (value === undefined) throw new TypeError(`${name} is undefined; leave it out to cancel everything`)
  }
  return filter
}
