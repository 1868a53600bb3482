import type { VolatilityScale } from './log-volatility.ts'

/*
 * Figures of the default market, fitted by `market-recipe.md` (recipe v3) on seven windows of minutes of BTC and
 * ETH, 2021 to 2025, and on hours of eight assets, 2020 to 2026; only the even weeks and four-weeks of both were
 * used. They are rounded to four digits. What the recipe measured as worth nothing is left out: the transitory
 * parts of the price, which contrarians could trade on, and moves of the price with the news.
 *
 * Changed after the recipe, to make room for the trend of an hour, which it lacks: the weight of 22 minutes (0.2697)
 * and that of the trend of half a day (0.1389). The power of the weekend (1.2168) made weekends quieter than recorded
 * ones.
 *
 * Changed again, by the same even weeks, along the steps that brought the mean features of days and weeks nearer: days
 * had too many of their moves in a few minutes, wild ones most of all, and too little memory over an hour. So news are
 * smaller (1.0738) and more of each lasts (0.0285); less is drawn over 22 minutes (0.21) and more over an hour, seven
 * hours and days (0.0883, 0.0996, 0.1678) and over three minutes (0.1411); wild days are nearly as rough as quiet ones
 * (0.1528); the hours of the day differ more (0.9908); how often the price stands still wanders less (0.6893); and no
 * minute draws a volatility for itself alone (0.1008).
 */

/** Scales of the logarithm of volatility that wildness multiplies, in minutes. */
export const fastScales: readonly VolatilityScale[] = [
  { halfLifeMinutes: 2.826, weight: 0.155, isLeveraged: false },
  { halfLifeMinutes: 22.17, weight: 0.185, isLeveraged: false },
]

/** Scales that wildness multiplies, too, and that are drawn every sixteen minutes only. */
export const middleScales = {
  hour: { halfLifeMinutes: 47.72, weight: 0.1 },
  hours: { halfLifeMinutes: 398.6, weight: 0.13 },
} as const

/** Processes of days and weeks, drawn once a block. */
export const slowScales = {
  days: { halfLifeMinutes: 2_880, weight: 0.18 },
  weeks: { halfLifeMinutes: 36_000, weight: 0.3053 },
  /** How wild days are, apart from what the level of volatility says. */
  wildness: { halfLifeMinutes: 28_800, weight: 0.4993 },
  /** How strong the leverage is. */
  leverage: { halfLifeMinutes: 28_800, weight: 0.06821 },
} as const

/**
 * Quiet times are rougher than wild ones: wildness falls with the slow part of the logarithm of volatility, in
 * units of `unit`, and is at most `most`.
 */
export const wildness = { fall: 0.1246, unit: 0.45, most: 2.5 }

/**
 * Feedback of the trend (Zumbach's effect): the squared trends of an hour, of half a day and of days raise
 * volatility, as far as `most`; falls of half a day raise it more than rises (leverage).
 *
 * The trend of an hour is not in the recipe. A move that goes on makes the market wilder, one that turns back
 * calmer, so reversals are more frequent and continuations larger: the signs of neighbouring hours differ more
 * often than not, as recorded ones do, though no direction can be foretold.
 */
export const trend = {
  hour: { halfLifeMinutes: 40, weight: 0.14 },
  halfDay: { halfLifeMinutes: 720, weight: 0.1 },
  days: { halfLifeMinutes: 3_722, weight: 0.05229 },
  most: 5,
  leverage: 0.113,
}

/** Shots of volatility, which stand for news: how often, how large, and how they fade. */
export const shots = {
  perDay: 3.821,
  meanSize: 0.96,
  mostSize: 3,
  /** Share of a shot that fades with the first of the two times. */
  firstShare: 0.95,
  firstMinutes: 8.1004,
  secondMinutes: 150.38,
}

/** Deviation of the logarithm of the volatility that minutes 0, 15, 30 and 45 have besides their season. */
export const quarterDeviation = 0.32

/** The season of volatility, and the powers to which the recipe raised its parts. */
export const volatilitySeasons = {
  weekdayHours: [
    1.125, 1.0724, 0.9664, 0.876, 0.7932, 0.7961, 0.8308, 0.8973, 0.9356, 0.9282, 0.9009, 0.9135, 1.0837,
    1.2329, 1.3304, 1.2696, 1.1401, 1.0677, 1.0658, 1.0229, 0.9953, 0.9359, 0.9052, 0.9152,
  ],
  weekendHours: [
    1.1738, 1.0747, 0.9392, 0.8505, 0.8054, 0.8296, 0.8591, 0.898, 0.9283, 0.922, 0.891, 0.8914, 1.0024,
    1.1126, 1.1794, 1.1531, 1.1044, 1.0752, 1.0505, 1.0224, 1.0398, 1.0524, 1.0629, 1.0819,
  ],
  hoursPower: 1.1,
  weekendToWeekday: 0.7501,
  weekendPower: 0.9,
  /**
   * The volatility of Sundays as a multiple of that of Saturdays. Measured on the weeks that were used for fitting;
   * not in the recipe.
   */
  sundayToSaturday: 1.085,
  minutesOfHour: [
    1.1746, 1.1283, 1.0941, 1.0578, 0.9888, 1.0929, 1.0702, 1.0019, 0.986, 0.9464, 1.0337, 0.9761, 0.9532,
    0.8973, 0.84, 1.133, 1.1088, 1.0558, 1.0214, 0.9732, 1.0715, 1.0507, 0.9787, 0.9657, 0.9266, 1.0151,
    0.9662, 0.9334, 0.8724, 0.8291, 1.1431, 1.1151, 1.0708, 1.0293, 0.987, 1.0753, 1.0591, 0.9837, 0.9629,
    0.9366, 1.009, 0.9669, 0.9354, 0.8782, 0.8317, 1.1208, 1.0971, 1.0498, 1.0097, 0.9526, 1.0511, 1.0278,
    0.9629, 0.9394, 0.9113, 0.9853, 0.9504, 0.9139, 0.8632, 0.8264,
  ],
  minutesPower: 1.0386,
} as const

/**
 * Minutes in which the price stands still: their share is the square of `standstillBps` over the minute's volatility
 * in basis points, at most `mostShare`; the logarithm of `standstillBps` wanders.
 */
export const stillness = { mostShare: 0.3, deviation: 0.52, halfLifeMinutes: 28_800 }

/** Annual volatility of the market, the common factor. */
export const marketVol = 0.55

/**
 * How assets go apart in wild minutes, in multiples of the usual volatility of a minute: from `from` on the share of
 * the market's variance in an asset's is drawn by the minute, and from `to` on it is anything from nothing to twice
 * as much. Not in the recipe, whose assets have their worst minutes together too often.
 */
export const apart = { from: 0.5, to: 2 }
