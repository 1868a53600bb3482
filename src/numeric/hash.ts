/**
 * A fast streaming hash of 128 bits, for digests of states and runs. It is not cryptographic.
 *
 * The lanes and the final mix are MurmurHash3's x86-128 (Austin Appleby, public domain), two words a step. A step is a
 * bijection of the state for given words, and of the words for a given state, so inputs that differ in one place never
 * collide. Whatever has a length or is not an integer begins with a mark that no integer can produce, so that the sequence
 * of added values is unambiguous. Integers are split by arithmetic, so byte order plays no part.
 */
export class Hash128 {
  private a = 0
  private b = 0
  private c = 0
  private d = 0
  private steps = 0

  /** Adds any double. Safe integers are the fast case; -0 counts as 0, and all NaNs are equal. */
  addInteger(value: number): void {
    if (value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER) {
      const low = value | 0
      if (low === value) {
        this.mix(low, 0)
        return
      }
      const high = (value - low) / 4294967296
      if (high === (high | 0)) {
        this.mix(low, high | 0)
        return
      }
    }
    this.addBits(value)
  }

  addText(text: string): void {
    const length = text.length
    this.mix(length, textMark)
    let index = 0
    for (; index + 3 < length; index += 4) {
      this.mix(packUnits(text, index), packUnits(text, index + 2))
    }
    if (index < length) {
      // Beyond the end charCodeAt is NaN, which bit operators take as 0. The length distinguishes it from a real 0.
      this.mix(packUnits(text, index), packUnits(text, index + 2))
    }
  }

  addFloat64Array(values: Float64Array): void {
    this.mix(values.length, float64Mark)
    for (let index = 0; index < values.length; index++) this.addInteger(values[index] ?? 0)
  }

  /** Adds the words from `from` up to `to`, exclusive, as if they were an array of their own. */
  addInt32Array(values: Int32Array, from = 0, to = values.length): void {
    this.mix(to - from, int32Mark)
    this.addWords(values, from, to)
  }

  addUint8Array(values: Uint8Array): void {
    const { length, byteOffset } = values
    this.mix(length, uint8Mark)
    let index = 0
    if (lowIndex === 0 && byteOffset % 4 === 0) {
      // On a little-endian machine, four aligned bytes are a word already.
      index = length & ~7
      this.addWords(new Int32Array(values.buffer, byteOffset, index >>> 2), 0, index >>> 2)
    }
    for (; index < length; index += 8) {
      this.mix(packBytes(values, index), packBytes(values, index + 4))
    }
  }

  /** Returns 32 hexadecimal digits for all that was added so far. More may be added afterwards. */
  digest(): string {
    const [a = 0, b = 0, c = 0, d = 0] = this.finish(new Int32Array(4))
    return toHexadecimal(a) + toHexadecimal(b) + toHexadecimal(c) + toHexadecimal(d)
  }

  /** Writes the digest's four words into `lanes` and returns it. More may be added to the hash afterwards. */
  finish(lanes: Int32Array): Int32Array {
    let a = this.a ^ this.steps
    let b = this.b ^ this.steps
    let c = this.c ^ this.steps
    let d = this.d ^ this.steps
    a = (a + b + c + d) | 0
    b = avalanche((b + a) | 0)
    c = avalanche((c + a) | 0)
    d = avalanche((d + a) | 0)
    a = (avalanche(a) + b + c + d) | 0
    lanes[0] = a
    lanes[1] = b + a
    lanes[2] = c + a
    lanes[3] = d + a
    return lanes
  }

  reset(): void {
    this.a = 0
    this.b = 0
    this.c = 0
    this.d = 0
    this.steps = 0
  }

  copy(): Hash128 {
    const copy = new Hash128()
    copy.a = this.a
    copy.b = this.b
    copy.c = this.c
    copy.d = this.d
    copy.steps = this.steps
    return copy
  }

  /** Mixes two words into the first two lanes, then rotates the lanes by two. */
  private mix(low: number, high: number): void {
    const { c } = this
    const nextB = mixLaneB(this.b, high, c)
    const nextA = mixLaneA(this.a, low, nextB)
    this.a = c
    this.b = this.d
    this.c = nextA
    this.d = nextB
    this.steps = (this.steps + 1) | 0
  }

  private addWords(values: Int32Array, from: number, to: number): void {
    const pairs = (to - from) >>> 1
    const even = from + 2 * pairs
    let { a, b, c, d } = this
    // This repeats `mix` with the lanes in registers: the digest of a run spends most of its time here.
    for (let index = from; index < even; index += 2) {
      const nextB = mixLaneB(b, values[index + 1] ?? 0, c)
      const nextA = mixLaneA(a, values[index] ?? 0, nextB)
      a = c
      b = d
      c = nextA
      d = nextB
    }
    this.a = a
    this.b = b
    this.c = c
    this.d = d
    this.steps = (this.steps + pairs) | 0
    if (even < to) this.mix(values[even] ?? 0, 0)
  }

  private addBits(value: number): void {
    this.mix(0, bitsMark)
    float64[0] = Number.isNaN(value) ? Number.NaN : value
    this.mix(words[lowIndex] ?? 0, words[1 - lowIndex] ?? 0)
  }
}

/* The upper word of a safe integer lies within 2^21 of zero. These marks do not, so no integer looks like one. */
const textMark = 0x40000001
const float64Mark = 0x40000002
const int32Mark = 0x40000003
const uint8Mark = 0x40000004
const bitsMark = 0x40000005

const float64 = new Float64Array(1)
const words = new Int32Array(float64.buffer)
const lowIndex = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 0 : 1 // 0 on little-endian machines

/** Mixes the upper word of a step into lane B. `next` is the lane that it is combined with. */
function mixLaneB(lane: number, high: number, next: number): number {
  const word = Math.imul(high, 0x38b34ae5)
  const b = lane ^ Math.imul((word << 17) | (word >>> 15), 0xa1e38b93)
  return (Math.imul(((b << 17) | (b >>> 15)) + next, 5) + 0x0bcaa747) | 0
}

function mixLaneA(lane: number, low: number, next: number): number {
  const word = Math.imul(low, 0x239b961b)
  const a = lane ^ Math.imul((word << 15) | (word >>> 17), 0xab0e9789)
  return (Math.imul(((a << 19) | (a >>> 13)) + next, 5) + 0x561ccd1b) | 0
}

function packUnits(text: string, index: number): number {
  return text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16)
}

function packBytes(values: Uint8Array, index: number): number {
  return (
    (values[index] ?? 0) |
    ((values[index + 1] ?? 0) << 8) |
    ((values[index + 2] ?? 0) << 16) |
    ((values[index + 3] ?? 0) << 24)
  )
}

function avalanche(lane: number): number {
  let h = lane
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) | 0
}

function toHexadecimal(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, '0')
}

/**
 * The sum of many hashes, lane by lane: an order-independent digest of a set. A changed member is subtracted and added
 * again, without visiting the rest.
 *
 * Sums of good hashes collide only by chance, but an adversary who chooses the members can make them collide.
 */
export class HashSum {
  private a = 0
  private b = 0
  private c = 0
  private d = 0

  /** Adds the hash whose four words start at index `at` of `lanes`. */
  add(lanes: ArrayLike<number>, at = 0): void {
    this.a = (this.a + (lanes[at] ?? 0)) | 0
    this.b = (this.b + (lanes[at + 1] ?? 0)) | 0
    this.c = (this.c + (lanes[at + 2] ?? 0)) | 0
    this.d = (this.d + (lanes[at + 3] ?? 0)) | 0
  }

  /** Removes the hash whose four words start at index `at` of `lanes`. */
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
    const copy = new HashSum()
    copy.add(this.words())
    return copy
  }

  /** Returns the four words of the sum. */
  words(): readonly number[] {
    return [this.a, this.b, this.c, this.d]
  }
}
