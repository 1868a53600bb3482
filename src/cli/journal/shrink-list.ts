/**
 * A sublist that still fails, and that no longer fails without any single part of the last size: delta debugging
 * (Zeller and Hildebrandt, 2002). `fails` says whether a sublist fails; the whole list does. Items keep their order.
 */
export async function shrinkList<Item>(
  items: readonly Item[],
  fails: (candidate: readonly Item[]) => boolean | Promise<boolean>,
): Promise<readonly Item[]> {
  let kept = items
  let parts = 2
  while (kept.length >= 2) {
    const smaller = await withoutOnePart(kept, parts, fails)
    if (smaller !== null) {
      kept = smaller
      parts = Math.max(2, parts - 1)
    } else if (parts >= kept.length) break
    else parts = Math.min(kept.length, parts * 2)
  }
  return kept.length === 1 && (await fails([])) ? [] : kept
}

/** The first failing list that lacks one of the parts; null when each of them is needed. */
async function withoutOnePart<Item>(
  items: readonly Item[],
  parts: number,
  fails: (candidate: readonly Item[]) => boolean | Promise<boolean>,
): Promise<readonly Item[] | null> {
  for (let part = 0; part < parts; part += 1) {
    const from = Math.floor((items.length * part) / parts)
    const to = Math.floor((items.length * (part + 1)) / parts)
    const candidate = [...items.slice(0, from), ...items.slice(to)]
    if (candidate.length > 0 && (await fails(candidate))) return candidate
  }
  return null
}
