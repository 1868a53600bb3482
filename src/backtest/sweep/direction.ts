/*
 * Which way a figure is better. Choice: costs, losses, what is uncertain and how long it takes are better small;
 * whatever has a sign, falls among it (-0.1 is worse than -0.05), and whatever is as one likes it are ranked from
 * large to small.
 */
const betterSmall = [
  /^costs\./,
  /^tail\./,
  /^returns\.(?:volatility|sharpeError|minimumTrackRecord)$/,
  /^drawdown\.(?:ulcer|longestMillis|isLongestOpen)$/,
  /^trips\.(?:losses|longestLosingRun)$/,
  /^maker\.(?:cancelsPerFill|rateLimited|markouts\.\d+\.adverseBps)$/,
]

/** 1 where the larger figure is the better one, -1 where the smaller is. */
export function towardsBetter(metric: string): 1 | -1 {
  return betterSmall.some((pattern) => pattern.test(metric)) ? -1 : 1
}
