import type { Bar } from '../strategy.ts'

export class BarWindow {
  private readonly kept: number
  private readonly byAsset: ReadonlyMap<string, Bar[]>

  /** `kept` is at least 1. */
  constructor(kept: number, assets: readonly string[]) {
    this.kept = kept
    this.byAsset = new Map(assets.map((asset) => [asset, []]))
  }

  add(bars: readonly Bar[]): void {
    for (const bar of bars) {
      const own = this.byAsset.get(bar.asset)
      if (own === undefined) continue
      own.push(bar)
      // Rarely, so that a bar costs the same however many are kept.
      if (own.length >= 2 * this.kept) own.splice(0, own.length - this.kept)
    }
  }

  /**
   * The newest bars of an asset, oldest first: all that are kept, or `count` of them. Throws a RangeError for an asset
   * without bars, and for more than are kept.
   */
  newest(asset: string, count = this.kept): readonly Bar[] {
    const own = this.byAsset.get(asset)
    if (own === undefined) {
      throw new RangeError(`bars: there are none of ${asset}; there are bars of ${[...this.byAsset.keys()]}`)
    }
    if (!Number.isSafeInteger(count) || count < 0 || count > this.kept) {
      throw new RangeError(`bars: ${count} is not a number of bars up to ${this.kept}, the strategy's warmUp`)
    }
    return own.slice(Math.max(0, own.length - count))
  }

  capture(): readonly Bar[] {
    return [...this.byAsset.keys()].flatMap((asset) => this.newest(asset))
  }
}
