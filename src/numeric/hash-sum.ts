/**
 * The sum of many hashes, lane by lane: a digest of a set. What has changed in the set is taken out and added again,
 * and the rest need not be looked at.
 *
 * Sums of good hashes collide only by chance, but somebody who may choose what is summed can make them collide: this
 * is no protection against an adversary.
 */
export class HashSum {
  private a = 0
  private b = 0
  private c = 0
  private d = 0

  /** Adds the hash whose four words are in `lanes` from `at` on. */
  add(lanes: ArrayLike<number>, at = 0): void {
    this.a = (this.a + (lanes[at] ?? 0)) | 0
    this.b = (this.b + (lanes[at + 1] ?? 0)) | 0
    this.c = (this.c + (lanes[at + 2] ?? 0)) | 0
    this.d = (this.d + (lanes[at + 3] ?? 0)) | 0
  }

  /** Takes out a hash that was added. */
  subtract(lanes: ArrayLike<number>, at = 0): void {
    this.a = (this.a - (lanes[at] ?? 0)) | 0
    this.b = (this.b - (lanes[at + 1] ?? 0)) | 0
    this.c = (this.c - (lanes[at + 2] ?? 0)) | 0
    this.d = (this.d - (lanes[at + 3] ?? 0)) | 0
  }

  clear(): void {
    this.a = 0
    this.b = 0
    this.c = 0
    this.d = 0
  }

  copy(): HashSum {
    const twin = new HashSum()
    twin.add(this.words())
    return twin
  }

  /** The four words of the sum. */
  words(): readonly number[] {
    return [this.a, this.b, this.c, this.d]
  }
}
