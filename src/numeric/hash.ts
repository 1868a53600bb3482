/*
 * A fast streaming hash of 128 bits, for digests of states and runs. Not cryptographic.
 *
 * The lanes and the end mix are MurmurHash3's x86-128 (Austin Appleby, public domain), two words a step. A step is
 * a bijection of the state for given words, and of the words for a given state: inputs that differ in one place
 * never meet. Whatever has a length or is no integer begins with a mark that no integer can make, so the text of
 * what was added is unambiguous. Integers are taken apart by arithmetic, so byte order plays no part.
 */
export class Hash128 {
  private a = 0
  private b = 0
  private c = 0
  private d = 0
  private steps = 0

  /** Any double. Safe integers are the fast case; -0 is 0, and every NaN is the same. */
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
      this.mix(unitPair(text, index), unitPair(text, index + 2))
    }
    if (index < length) {
      // Beyond the end charCodeAt is NaN, which the bit operators take as 0; the length tells the two apart.
      this.mix(unitPair(text, index), unitPair(text, index + 2))
    }
  }

  addFloat64Array(values: Float64Array): void {
    this.mix(values.length, float64Mark)
    for (let index = 0; index < values.length; index++) this.addInteger(values[index] ?? 0)
  }

  /** The words from `from` up to `to`, as if they were an array of their own. */
  addInt32Array(values: Int32Array, from = 0, to = values.length): void {
    this.mix(to - from, int32Mark)
    this.addWords(values, from, to)
  }

  addUint8Array(values: Uint8Array): void {
    const { length, byteOffset } = values
    this.mix(length, uint8Mark)
    let index = 0
    if (lowIndex === 0 && byteOffset % 4 === 0) {
      // Four bytes are a word of this machine already.
      index = length & ~7
      this.addWords(new Int32Array(values.buffer, byteOffset, index >>> 2), 0, index >>> 2)
    }
    for (; index < length; index += 8) {
      this.mix(fourBytes(values, index), fourBytes(values, index + 4))
    }
  }

  /** 32 hexadecimal digits of all that was added so far; more may be added after. */
  digest(): string {
    const [a = 0, b = 0, c = 0, d = 0] = this.finish(new Int32Array(4))
    return hexadecimal(a) + hexadecimal(b) + hexadecimal(c) + hexadecimal(d)
  }

  /** Writes the digest's four words into `lanes`, and answers them. */
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
    const twin = new Hash128()
    twin.a = this.a
    twin.b = this.b
    twin.c = this.c
    twin.d = this.d
    twin.steps = this.steps
    return twin
  }

  /** Takes two words into the first two lanes, then turns the lanes by two. */
  private mix(low: number, high: number): void {
    const { c } = this
    const nextB = turnedB(this.b, high, c)
    const nextA = turnedA(this.a, low, nextB)
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
    // The steps of `mix`, with the lanes in registers: this is where the digest of a run spends its time.
    for (let index = from; index < even; index += 2) {
      const nextB = turnedB(b, values[index + 1] ?? 0, c)
      const nextA = turnedA(a, values[index] ?? 0, nextB)
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

/* An integer's upper word lies within 2^21 of zero; these do not. */
const textMark = 0x40000001
const float64Mark = 0x40000002
const int32Mark = 0x40000003
const uint8Mark = 0x40000004
const bitsMark = 0x40000005

const float64 = new Float64Array(1)
const words = new Int32Array(float64.buffer)
const lowIndex = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 0 : 1 // 0 on little-endian machines

/** The lane that takes the upper word, and the one that then takes the lower. */
function turnedB(lane: number, high: number, next: number): number {
  const word = Math.imul(high, 0x38b34ae5)
  const b = lane ^ Math.imul((word << 17) | (word >>> 15), 0xa1e38b93)
  return (Math.imul(((b << 17) | (b >>> 15)) + next, 5) + 0x0bcaa747) | 0
}

function turnedA(lane: number, low: number, next: number): number {
  const word = Math.imul(low, 0x239b961b)
  const a = lane ^ Math.imul((word << 15) | (word >>> 17), 0xab0e9789)
  return (Math.imul(((a << 19) | (a >>> 13)) + next, 5) + 0x561ccd1b) | 0
}

function unitPair(text: string, index: number): number {
  return text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16)
}

function fourBytes(values: Uint8Array, index: number): number {
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

function hexadecimal(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, '0')
}

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
