import type { ApiContext } from '../context.ts'

/** Reading `batchStatus`; null means the route's own status. */
export function batchStatus(
  { readings }: ApiContext,
  { total, failed }: { readonly total: number; readonly failed: number },
): number | null {
  if (readings.batchStatus === '207' && failed > 0) return 207
  return readings.batchStatus === '422' && failed > 0 && failed === total ? 422 : null
}
