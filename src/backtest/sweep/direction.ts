/*
 * Which way a figure is better. Choice: costs, losses, uncertainty and durations are better small. Figures with a sign
 * (falls, too: -0.1 is worse than -0.05) and figures that are a matter of taste are ranked from large to small.
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
