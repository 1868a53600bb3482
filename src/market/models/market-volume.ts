import { element } from '../../numeric/columns.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { createStream } from '../../numeric/random.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { GaussianPath } from './gaussian-path.ts'
import { ornsteinUhlenbeck } from './gaussian-process.ts'
import type { StreamNames } from './price-model.ts'
import { seasonAt, volatilitySeason, volumeSeason } from './seasons.ts'
import type { SteppedPath } from './stepped-path.ts'
import { blockMinutes } from './stepped-path.ts'

/**
 * What the rest of the world trades in a minute: the season of volume, times a power of the volatility (without its
 * own season), times an hourly noise that keeps 0.54 of itself in an hour (market.md 2d). Choice: the power is 1.1
 * where the note has 0.9, because an hour's range shows its volatility only with noise: so volumes rise with the
 * power 0.86 of the ranges, as BTC's do (fact 9). And each minute has a noise of its own, so that neighbours are as
 * similar as real ones.
 */
export class MarketVolume {
  private readonly usdPerMinute: number
  private readonly path: SteppedPath
  private readonly startMillis: number
  private readonly names: StreamNames
  private readonly hourly: GaussianPath
  private readonly noises = new Float64Array(blockMinutes)
  private noiseBlock = Number.NaN

  constructor(dailyVolumeUsd: number, path: SteppedPath, startMillis: number, names: StreamNames) {
    this.usdPerMinute = (dailyVolumeUsd / 1440) * scale
    this.path = path
    this.startMillis = startMillis
    this.names = names
    const start = createStream(names.seed, 'volume/start', names.symbol, 0).normal() * hourlySd
    this.hourly = new GaussianPath(ornsteinUhlenbeck(start, -log(0.54) / 60, hourlySd), names, 'volume')
  }

  usdIn(minute: number): number {
    const atMillis = this.startMillis + minute * millisPerMinute
    const volatility = this.path.activityAt(minute) / seasonAt(volatilitySeason, atMillis)
    const noise = this.hourly.at(minute * millisPerMinute) + minuteSd * this.noiseOf(minute)
    const season = seasonAt(volumeSeason, atMillis)
    return this.usdPerMinute * season * exp(volatilityPower * log(volatility) + noise)
  }

  private noiseOf(minute: number): number {
    const block = Math.floor(minute / blockMinutes)
    if (this.noiseBlock !== block) {
      const stream = createStream(this.names.seed, 'volume/minutes', this.names.symbol, block)
      for (let i = 0; i < blockMinutes; i += 1) this.noises[i] = stream.normal()
      this.noiseBlock = block
    }
    return element(this.noises, minute - block * blockMinutes)
  }
}

const volatilityPower = 1.1
const hourlySd = 0.35
const minuteSd = 0.4
/** Makes the mean 1: e^(-variance / 2) of the noises, over the mean of the volatility's power, 0.71 (by section 2b). */
const scale = exp(-(hourlySd * hourlySd + minuteSd * minuteSd) / 2) / 0.71
