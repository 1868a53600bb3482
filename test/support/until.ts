/**
 * Resolves when the condition holds, which it looks at once a turn of the event loop; rejects before the test's own limit,
 * so that a test that fails leaves nothing spinning.
 */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const lastMillis = performance.now() + 110_000
  while (!holds()) {
    if (performance.now() > lastMillis) throw new Error(`it never came to this: ${what}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
