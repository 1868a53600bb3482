import type { Candle } from '../../../src/market/recordings/candle.ts'
import { requireOwn } from '../../support/own-packages.ts'

/*
 * Of the backtesting libraries on npm that were found, this one installs and runs on Node 20 with data of one's own.
 * backtest-kit 19.5.0 asks for a version of di-kit that is not published; @backtest/framework 1.1.18 takes its
 * candles from a database by way of Prisma, whose engine an install has to download; @fugle/backtest and backtestjs
 * are not published any more; technicalindicators and trading-signals are indicators without a backtest.
 */

interface GrademarkBar extends Candle {
  readonly time: Date
}

/** A series of the package data-forge, of which this uses one call. */
interface Series<Item> {
  readonly select: <Other>(selector: (item: Item) => Other) => Series<Other>
}

interface GrademarkStrategy<Bar extends GrademarkBar = GrademarkBar> {
  readonly prepIndicators?: (given: { readonly inputSeries: Series<GrademarkBar> }) => Series<Bar>
  readonly entryRule: (enterPosition: () => void, given: { readonly bar: Bar }) => void
  readonly exitRule?: (exitPosition: () => void, given: { readonly bar: Bar }) => void
  /** Percent of a trade. */
  readonly fees?: () => number
}

interface Packages {
  readonly grademark: {
    readonly backtest: <Bar extends GrademarkBar>(
      strategy: GrademarkStrategy<Bar>,
      bars: Series<GrademarkBar>,
    ) => readonly { readonly profit: number }[]
  }
  readonly dataForge: {
    readonly DataFrame: new (config: {
      readonly index: readonly Date[]
      readonly values: readonly GrademarkBar[]
    }) => Series<GrademarkBar>
  }
}

/** Grademark's backtest over these candles; it returns the trades. The packages are installed with the first call. */
export function grademarkOver(candles: readonly Candle[]) {
  const own = requireOwn('bench-backtests', ['grademark@0.3.0', 'data-forge@1.10.5'])
  const grademark: Packages['grademark'] = own('grademark')
  const { DataFrame }: Packages['dataForge'] = own('data-forge')
  const values = candles.map((candle) => ({ ...candle, time: new Date(candle.atMillis) }))
  const bars = new DataFrame({ index: values.map(({ time }) => time), values })
  return <Bar extends GrademarkBar>(strategy: GrademarkStrategy<Bar>) => grademark.backtest(strategy, bars)
}

/** Long while `isUp` says so, which is made anew for each run and sees the closes in their order. */
export function longWhile(makeIsUp: () => (close: number) => boolean): GrademarkStrategy<Judged> {
  return {
    prepIndicators({ inputSeries }) {
      const isUp = makeIsUp()
      return inputSeries.select((bar) => ({ ...bar, isUp: isUp(bar.close) }))
    },
    entryRule: (enterPosition, { bar }) => {
      if (bar.isUp) enterPosition()
    },
    exitRule: (exitPosition, { bar }) => {
      if (!bar.isUp) exitPosition()
    },
  }
}

interface Judged extends GrademarkBar {
  readonly isUp: boolean
}
