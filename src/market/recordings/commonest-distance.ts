/**
 * The commonest distance between neighbours in time, milliseconds; the shortest of equally common ones; 0 where no two
 * rows differ. Rows stand by ascending instant; those at one instant have no distance.
 */
export function commonestDistance(rows: readonly { readonly atMillis: number }[]): number {
  const counts = new Map<number, number>()
  for (const [place, row] of rows.entries()) {
    const distance = (rows[place + 1]?.atMillis ?? row.atMillis) - row.atMillis
    if (distance > 0) counts.set(distance, (counts.get(distance) ?? 0) + 1)
  }
  let commonest = 0
  for (const [distance, count] of counts) {
    const most = counts.get(commonest) ?? 0
    if (count > most || (count === most && distance < commonest)) commonest = distance
  }
  return commonest
}
