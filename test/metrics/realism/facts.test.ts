import { expect, test } from 'vitest'
import { computeHourFigures, computeMinuteFigures, type Figures } from '../../../src/metrics/realism/facts.ts'
import { dayFigures, pairFigures, seasonFigures, volumeFigures } from '../../realism/long-facts.ts'

/* The figures of short made-up paths, computed once by the definitions of the literature in another language. */

/** Park and Miller's generator, whose numbers any language can repeat. */
function uniforms(seed: number, count: number): number[] {
  let state = seed
  return Array.from({ length: count }, () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  })
}

/** Heavy-tailed returns whose size grows from one calm span to the next, up to four times. */
function path(seed: number, count: number, calm: number): number[] {
  return uniforms(seed, count).map(
    (uniform, place) => (uniform - 0.5) ** 3 * (1 + (Math.floor(place / calm) % 4)),
  )
}

function expectFigures(found: Figures, wanted: Figures): void {
  const near = Object.entries(wanted).map(([name, value]) => [name, expect.closeTo(value, 9)])
  expect(found).toEqual(Object.fromEntries(near))
}

test('of minutes', () => {
  const returns = path(1, 7_200, 300)
  returns[2_000] = 0.9
  returns[2_010] = -0.9
  returns[5_000] = 0.7
  expectFigures(computeMinuteFigures(returns), {
    'kurtosis 1m': 3.539335402483842,
    'tail index 1m': 10.615057066076586,
    'linear memory 1m': 0.03281579683317507,
    'variance ratio 60m': 0.9705364384574108,
    'memory of size 1m': 0.11399336186512372,
    'memory of size 60m': 0.10396634904101693,
    'memory of size 1440m': 0.013174686122177896,
    'memory decay': 0.3742248874880386,
    'memory day over hour': 0.12672067686997648,
    'jumps beyond 8 sd a day': 0.4,
    'clustering of jumps beyond 5 sd': 1.0666666666666667,
  })
})

test('of hours', () => {
  expectFigures(computeHourFigures(path(2, 1_200, 30)), {
    'kurtosis 1h': 2.8239947422795044,
    'tail index 1h': 15.47918862217177,
    'up over down tail 1h': 0.6888049766368255,
    'linear memory 1h': 0.06002589534862128,
    'memory of size 1h': 0.11106290776581008,
    'memory of size 24h': -0.017136368331545006,
    'memory of size 168h': -0.05468520164286415,
    'leverage 1h': -0.015576458739968416,
  })
})

test('of days of four parts, the last one incomplete', () => {
  expectFigures(dayFigures(path(3, 243, 40), 4), {
    'kurtosis 1d': 1.44805222836023,
    'sd of log realized volatility': 0.7977004983029313,
    'memory of it 1d': 0.30737515474880533,
    'memory of it 20d': -0.1242503896318553,
    'kurtosis of return over it': -1.4446394716620035,
  })
})

test('of volume, without the hours in which nothing was traded or nothing moved', () => {
  const returns = path(4, 370, 60)
  const others = uniforms(5, 370)
  const volumes = returns.map((one, place) =>
    Math.floor(place / 60) === 2 ? 0 : (1 + Math.floor(9 * Number(others[place]))) * (1 + Math.abs(one) * 40),
  )
  returns.fill(0, 180, 240)
  expectFigures(volumeFigures(returns, volumes), {
    'size and volume': 0.24288067886241002,
    'ranks of size and volume': 0.18568970326958412,
    'memory of volume 1m': 0.1501612433259681,
    'power of volume in range 1h': 0.8371690520833756,
  })
})

test('of pairs', () => {
  const left = path(6, 1_000, 50)
  const others = path(7, 1_000, 50)
  const right = left.map((one, place) => 0.6 * one + 0.8 * Number(others[place]))
  expectFigures(pairFigures(left, right), {
    correlation: 0.6165500239433693,
    'rise in stress': 0.37323736894381476,
    'lower tail dependence': 0.1,
  })
})

test.each([
  [0, 1],
  [1, 0],
  [12, 0],
  [13, 1],
  [15, 1],
  [16, 0],
])('the busiest hour is a usual one: %d h', (busiest, isUsual) => {
  const sizes = Array.from({ length: 24 * 14 }, (_, hour) => (hour % 24 === busiest ? 3 : 2))
  expectFigures(seasonFigures(sizes, Date.UTC(2026, 0, 5), 3_600_000), {
    'peak over trough hour': 1.5,
    'peak at 0 or 13 to 15 h': isUsual,
    // The season of hours is the same on all days.
    'weekend over weekday': 1,
  })
})
