import { assert } from './assert.ts'

/*
 * Functions that engines may compute differently (ECMAScript lets Math.exp and the like be approximate), built only from
 * + - * / and square root, which IEEE 754 rounds correctly everywhere. So a run gives the same bits on every engine.
 *
 * Sources: exp and log are FreeBSD's e_exp.c and e_log.c (fdlibm, Copyright 1993 Sun Microsystems, Inc.: freely
 * granted, provided that this notice is preserved), below 1 ulp; the inverse normal is Wichura's AS241 (Applied
 * Statistics 37, 1988), to about 1e-16; the normal distribution is West's (Wilmott Magazine, 2005), to about 1e-15.
 * Powers of two come from a table: writing exponent bits stalls the processor.
 */

/** Computes e^x to less than 1 ulp, with the same bits on every engine. */
export function exp(x: number): number {
  if (x > 709.782712893384) return Number.POSITIVE_INFINITY
  if (x < -745.1332191019411) return 0
  if (Number.isNaN(x)) return x
  let high = x
  let low = 0
  let exponent = 0
  const magnitude = x < 0 ? -x : x
  if (magnitude > 0.34657359027997264) {
    if (x === 1) return Math.E // the one argument people notice whose last bit would be wrong
    exponent =
      magnitude < 1.0397207708399179 ? (x < 0 ? -1 : 1) : Math.trunc(x * inverseLn2 + (x < 0 ? -0.5 : 0.5))
    high = x - exponent * ln2High
    low = exponent * ln2Low
  } else if (magnitude < 3.725290298461914e-9) {
    return 1 + x
  }
  const reduced = high - low
  const square = reduced * reduced
  const even =
    reduced -
    square *
      (0.16666666666666602 +
        square *
          (-0.0027777777777015593 +
            square *
              (0.00006613756321437934 +
                square * (-0.0000016533902205465252 + square * 4.1381367970572385e-8))))
  if (exponent === 0) return 1 - ((reduced * even) / (even - 2) - reduced)
  const mantissa = 1 - (low - (reduced * even) / (2 - even) - high)
  return scaleByPowerOfTwo(mantissa, exponent)
}

/** Computes the natural logarithm to less than 1 ulp, with the same bits on every engine; NaN below 0. */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN
  if (x === Number.POSITIVE_INFINITY) return x
  let value = x
  let exponent = 0
  if (x < 2.2250738585072014e-308) {
    value *= 18014398509481984 // 2^54: out of the subnormals
    exponent = -54
  }
  float64[0] = value
  const highWord = Number(words[highIndex])
  const leadingBits = highWord & 0xfffff
  // The mantissa is brought between sqrt(1/2) and sqrt(2): adding 0x95f64 carries when it is above.
  const shift = (highWord >> 20) - 1023 + ((leadingBits + 0x95f64) >> 20)
  const fraction = value * powerOfTwo(-shift) - 1
  return logOfProduct(fraction, exponent + shift, leadingBits)
}

/** Computes the z below which a standard normal variable falls with probability `p`, where 0 < p < 1. */
export function inverseNormal(p: number): number {
  assert(p > 0 && p < 1, 'a probability lies strictly between 0 and 1')
  const q = p - 0.5
  if (q <= 0.425 && q >= -0.425) return q * centralQuotient(0.180625 - q * q)
  const tail = Math.sqrt(-log(q < 0 ? p : 1 - p))
  const z = tail <= 5 ? tailQuotient(tail - 1.6) : farTailQuotient(tail - 5)
  return q < 0 ? -z : z
}

/** Computes the probability that a standard normal variable is at most `z`. */
export function normalProbability(z: number): number {
  const distance = z < 0 ? -z : z
  if (!(distance <= 38)) return z < 0 ? 0 : z > 0 ? 1 : z
  const density = exp(-0.5 * distance * distance)
  const tail =
    distance < 7.071067811865475
      ? density * upperTailQuotient(distance)
      : density / (2.506628274631 * continuedFraction(distance))
  return z > 0 ? 1 - tail : tail
}

const ln2High = 0.6931471803691238
const ln2Low = 1.9082149292705877e-10
const inverseLn2 = Math.LOG2E

const float64 = new Float64Array(1)
const words = new Int32Array(float64.buffer)
const highIndex = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0 // 1 on little-endian machines

/** The powers of two from 2^-1074 to 2^1023, by exact halving and doubling. */
const powersOfTwo = new Float64Array(2098)
for (let index = 1074, power = 1; index < 2098; index++, power *= 2) powersOfTwo[index] = power
for (let index = 1074, power = 1; index >= 0; index--, power /= 2) powersOfTwo[index] = power

function powerOfTwo(exponent: number): number {
  return Number(powersOfTwo[exponent + 1074])
}

function scaleByPowerOfTwo(mantissa: number, exponent: number): number {
  if (exponent === 1024) return mantissa * 2 * powerOfTwo(1023)
  if (exponent >= -1021) return mantissa * powerOfTwo(exponent)
  return mantissa * powerOfTwo(exponent + 1000) * powerOfTwo(-1000) // so a subnormal is rounded once
}

/** Computes log((1 + fraction) * 2^exponent). `leadingBits` are the upper 20 bits of the mantissa. */
function logOfProduct(fraction: number, exponent: number, leadingBits: number): number {
  const low = exponent * ln2Low
  const high = exponent * ln2High
  if (fraction < 9.5367431640625e-7 && fraction > -9.5367431640625e-7) {
    if (fraction === 0) return high + low
    const correction = fraction * fraction * (0.5 - 0.3333333333333333 * fraction)
    return high - (correction - low - fraction)
  }
  const s = fraction / (2 + fraction)
  const z = s * s
  const w = z * z
  const odd = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373))
  const even =
    z * (0.6666666666666735 + w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)))
  const series = even + odd
  if (leadingBits >= 0x6147a && leadingBits <= 0x6b851) {
    const halfSquare = 0.5 * fraction * fraction // near sqrt(2) it is added separately to keep its low bits
    return high - (halfSquare - (s * (halfSquare + series) + low) - fraction)
  }
  return high - (s * (fraction - series) - low - fraction)
}

/** Evaluates AS241 in the centre, |p - 1/2| <= 0.425, at r = 0.180625 - (p - 1/2)^2. */
function centralQuotient(r: number): number {
  const top =
    ((((((2509.0809287301227 * r + 33430.57558358813) * r + 67265.7709270087) * r + 45921.95393154987) * r +
      13731.69376550946) *
      r +
      1971.5909503065513) *
      r +
      133.14166789178438) *
      r +
    3.3871328727963665
  const bottom =
    ((((((5226.495278852854 * r + 28729.085735721943) * r + 39307.89580009271) * r + 21213.794301586597) * r +
      5394.196021424751) *
      r +
      687.1870074920579) *
      r +
      42.31333070160091) *
      r +
    1
  return top / bottom
}

/** Evaluates AS241 in the tail, at r = sqrt(-log(tail probability)) - 1.6, up to 3.4. */
function tailQuotient(r: number): number {
  const top =
    ((((((0.0007745450142783414 * r + 0.022723844989269184) * r + 0.2417807251774506) * r +
      1.2704582524523684) *
      r +
      3.6478483247632045) *
      r +
      5.769497221460691) *
      r +
      4.630337846156546) *
      r +
    1.4234371107496835
  const bottom =
    ((((((1.0507500716444169e-9 * r + 0.0005475938084995345) * r + 0.015198666563616457) * r +
      0.14810397642748008) *
      r +
      0.6897673349851) *
      r +
      1.6763848301838038) *
      r +
      2.053191626637759) *
      r +
    1
  return top / bottom
}

/** Evaluates AS241 in the far tail, at r = sqrt(-log(tail probability)) - 5. */
function farTailQuotient(r: number): number {
  const top =
    ((((((2.0103343992922881e-7 * r + 0.000027115555687434876) * r + 0.0012426609473880784) * r +
      0.026532189526576124) *
      r +
      0.29656057182850487) *
      r +
      1.7848265399172913) *
      r +
      5.463784911164114) *
      r +
    6.657904643501103
  const bottom =
    ((((((2.0442631033899397e-15 * r + 1.421511758316446e-7) * r + 0.000018463183175100548) * r +
      0.0007868691311456133) *
      r +
      0.014875361290850615) *
      r +
      0.1369298809227358) *
      r +
      0.599832206555888) *
      r +
    1
  return top / bottom
}

function upperTailQuotient(x: number): number {
  const top =
    (((((3.52624965998911e-2 * x + 0.700383064443688) * x + 6.37396220353165) * x + 33.912866078383) * x +
      112.079291497871) *
      x +
      221.213596169931) *
      x +
    220.206867912376
  const bottom =
    ((((((8.83883476483184e-2 * x + 1.75566716318264) * x + 16.064177579207) * x + 86.7807322029461) * x +
      296.564248779674) *
      x +
      637.333633378831) *
      x +
      793.826512519948) *
      x +
    440.413735824752
  return top / bottom
}

function continuedFraction(x: number): number {
  return x + 1 / (x + 2 / (x + 3 / (x + 4 / (x + 0.65))))
}
