/*
 * What is in force for a while, by asset: when `for` ends, it restores what was there before. Several may overlap;
 * the one begun last holds, and when one that does not hold ends, nothing changes.
 */

interface Stack<Value> {
  /** What was there before the first of them. */
  readonly base: Value
  readonly layers: readonly { readonly token: string; readonly value: Value }[]
}

export type CapturedLayers<Value> = readonly (readonly [number, Stack<Value>])[]

export class TimedLayers<Value> {
  private readonly stacks = new Map<number, Stack<Value>>()

  isEmpty(about: number): boolean {
    return !this.stacks.has(about)
  }

  /** Puts a new one on top; `present` is what it covers. */
  cover(about: number, present: Value, value: Value, token: string): void {
    const { base, layers } = this.stacks.get(about) ?? { base: present, layers: [] }
    this.stacks.set(about, { base, layers: [...layers, { token, value }] })
  }

  /** Something without an end is in force now: what was timed before no longer matters. */
  clear(about: number): void {
    this.stacks.delete(about)
  }

  /** Ends one. Answers what holds again if it was on top, else undefined. */
  uncover(about: number, token: string): Value | undefined {
    const stack = this.stacks.get(about)
    const place = stack?.layers.findIndex((layer) => layer.token === token) ?? -1
    if (stack === undefined || place === -1) return undefined
    const layers = stack.layers.filter((layer) => layer.token !== token)
    if (layers.length === 0) this.stacks.delete(about)
    else this.stacks.set(about, { base: stack.base, layers })
    return place < layers.length ? undefined : (layers.at(-1)?.value ?? stack.base)
  }

  capture(): CapturedLayers<Value> {
    return [...this.stacks]
  }

  restore(captured: CapturedLayers<Value>): void {
    this.stacks.clear()
    for (const [about, stack] of captured) this.stacks.set(about, stack)
  }
}
