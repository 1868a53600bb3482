/**
 * A value that is made in steps: one whenever somebody has a moment, or all that are left as soon as it is wanted. The
 * steps must not look at anything that changes meanwhile.
 */
export class Later<Value> {
  private steps: Iterator<undefined, Value> | null
  private made: { readonly value: Value } | null = null

  constructor(steps: Iterator<undefined, Value>) {
    this.steps = steps
  }

  /** Makes the next step. True when the value is there. */
  step(): boolean {
    const next = this.steps?.next()
    if (next?.done !== true) return this.steps === null
    this.made = { value: next.value }
    // What the steps looked at may be large.
    this.steps = null
    return true
  }

  finish(): Value {
    while (this.made === null) this.step()
    return this.made.value
  }
}
