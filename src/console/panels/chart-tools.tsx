import { formatInterval, listIntervals } from '../model/candles.ts'
import type { Span } from '../model/chart-data.ts'
import type { HistoryPrices } from '../model/documents.ts'
import { computeStripSpan } from '../model/strip.ts'
import { Button, Choice } from '../parts/form.tsx'
import { useShown } from '../parts/use-console.ts'

interface ChartToolsProps {
  readonly prices: HistoryPrices | null
  readonly shown: Span | null
  readonly interval: number
  readonly isCandles: boolean
  /** Whether the interval was chosen, and is not what suits the span. */
  readonly isAsked: boolean
  readonly chooseInterval: (interval: number | null) => void
}

/** Buttons of the chart: how prices are drawn, and how much of the time. */
export function ChartTools({ prices, shown, interval, isCandles, isAsked, chooseInterval }: ChartToolsProps) {
  const { session } = useShown()
  const intervals = prices === null || shown === null ? [] : listIntervals(prices, shown)
  return (
    <div class="row chart-tools">
      <fieldset class="joined">
        <legend class="hidden">How prices are drawn</legend>
        {styles.map(([style, name]) => (
          <Button
            key={style}
            aria-pressed={isCandles === (style === 'candles')}
            onClick={() => session.settings.set({ style })}
          >
            {name}
          </Button>
        ))}
      </fieldset>
      <Choice
        label=""
        aria-label="Interval of the candles"
        value={isAsked ? String(interval) : ''}
        options={[
          ['', `auto, ${formatInterval(interval)}`] as const,
          ...intervals.map((each) => [String(each), formatInterval(each)] as const),
        ]}
        choose={(chosen) => chooseInterval(chosen === '' ? null : Number(chosen))}
      />
      <SpanButtons />
      <OtherWorld />
    </div>
  )
}

/** Choice of the world that lies over the shown one in chart, book and equity. */
function OtherWorld() {
  const { session, worlds, world, compared } = useShown()
  const rest = worlds.filter((id) => id !== world)
  if (rest.length === 0 || rest.length > mostWorlds) return null
  return (
    <Choice
      label="over"
      value={compared ?? ''}
      options={[['', 'no other world'] as const, ...rest.map((id) => [id, id] as const)]}
      choose={(chosen) => session.compare(chosen === '' ? null : chosen)}
    />
  )
}

/** Of more worlds than these one is chosen in the list of worlds. */
const mostWorlds = 200

const styles = [
  ['lines', 'Lines'],
  ['candles', 'Candles'],
] as const

function SpanButtons() {
  const { session, span, view, begins, live } = useShown()
  const whole = computeStripSpan(begins, live)
  if (whole === null) return null
  const { from, to } = span ?? whole
  const here = Date.parse(view.now)
  const middle = span === null ? here : (from + to) / 2
  const zoom = (length: number, around: number) => {
    const start = Math.max(whole.from, Math.min(around - length / 2, whole.to - length))
    session.zoomAround({ from: start, to: start + length })
  }
  const all = whole.to - whole.from
  return (
    <>
      <span class="joined">
        {spans.map(([name, millis]) => (
          <Button key={name} disabled={all <= millis} onClick={() => zoom(millis, here)}>
            {name}
          </Button>
        ))}
        <Button aria-pressed={span === null} onClick={() => session.zoom(null)}>
          All
        </Button>
      </span>
      <span class="joined">
        {moves.map(([name, sign, by, towards]) =>
          span === null && name !== 'Zoom in' ? null : (
            <Button
              key={name}
              aria-label={name}
              onClick={() => zoom((to - from) * by, middle + towards * (to - from))}
            >
              {sign}
            </Button>
          ),
        )}
      </span>
    </>
  )
}

const moves = [
  ['Zoom in', '+', 0.5, 0],
  ['Zoom out', '−', 2, 0],
  ['Earlier', '◂', 1, -0.5],
  ['Later', '▸', 1, 0.5],
] as const

const spans = [
  ['1 m', 60_000],
  ['10 m', 600_000],
  ['1 h', 3_600_000],
] as const
