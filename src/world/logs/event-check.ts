/**
 * A running check over all that an engine emits: 32 bits, a few operations an event. Two runs with the same events have
 * the same value after each command, so a journal can say at which command they diverge. It misses one difference in
 * four thousand million, which the digest of the whole state finds.
 */
export class EventCheck {
  /** A whole number below 2^32. */
  value = 0

  add(
    type: number,
    subject: number,
    account: number,
    asset: number,
    first: number,
    second: number,
    third: number,
  ): void {
    let lane = mixed(this.value, type + asset * 256)
    lane = mixed(lane, subject)
    lane = mixed(lane, account)
    lane = mixed(lane, folded(first))
    lane = mixed(lane, folded(second))
    lane = mixed(lane, folded(third))
    this.value = lane >>> 0
  }
}

function mixed(lane: number, word: number): number {
  const next = Math.imul(lane ^ word, 0x9e3779b1)
  return Math.imul(next ^ (next >>> 15), 0x85ebca77)
}

/** A whole number of up to 53 bits, folded to 32. */
function folded(value: number): number {
  const low = value | 0
  return low === value ? low : low ^ Math.imul(Math.floor(value / 4294967296), 0x27d4eb2f)
}
