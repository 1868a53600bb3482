import type { Metrics } from './metrics.ts'

/**
 * Every figure by a name such as `returns.sharpe` or `maker.markouts.5000.bps`, null where it is undefined: for
 * tables, sweeps and conditions. Entries of lists are named by what tells them apart.
 */
export function flattenMetrics(metrics: Metrics): Readonly<Record<string, number | null>> {
  const flat: Record<string, number | null> = {}
  addAll(flat, '', metrics)
  return flat
}

function addAll(flat: Record<string, number | null>, path: string, value: unknown): void {
  if (typeof value === 'number') flat[path] = value
  else if (typeof value === 'boolean') flat[path] = value ? 1 : 0
  else if (Array.isArray(value)) addList(flat, path, value)
  else if (typeof value === 'object' && value !== null) addObject(flat, path, value)
}

function addObject(flat: Record<string, number | null>, path: string, value: object): void {
  if ('value' in value && 'reason' in value) {
    flat[path] = typeof value.value === 'number' ? value.value : null
    return
  }
  for (const [name, field] of Object.entries(value))
    addAll(flat, path === '' ? name : `${path}.${name}`, field)
}

function addList(flat: Record<string, number | null>, path: string, values: readonly unknown[]): void {
  for (const [place, value] of values.entries()) {
    if (typeof value !== 'object' || value === null) continue
    const key =
      'asset' in value
        ? value.asset
        : 'horizonMillis' in value
          ? value.horizonMillis
          : 'withinBps' in value
            ? value.withinBps
            : place + 1
    addAll(flat, `${path}.${key}`, value)
  }
}
