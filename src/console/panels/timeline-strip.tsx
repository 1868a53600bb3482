import { useEffect, useRef } from 'preact/hooks'
import type { HistoryItem } from '../model/documents.ts'
import { dateOf, timeOf } from '../model/format.ts'
import type { ConsoleState } from '../model/state.ts'
import { laneOf, lanes, positionOf } from '../model/timeline.ts'
import { useConsole } from '../parts/use-console.ts'

const laneHeight = 9
const stripHeight = laneHeight * lanes.length + 6

/** The whole past as a strip: lanes of what happened, and a scrubber over its moments. */
export function TimelineStrip() {
  const { session, state } = useConsole()
  const { moments, place, live } = state
  const canvas = useRef<HTMLCanvasElement>(null)
  const position = place === null ? moments.length + 1 : positionOf(moments, place)
  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    const draw = () => drawLanes(element, session.store.get())
    draw()
    const observer = new ResizeObserver(draw)
    observer.observe(element)
    addEventListener('themechange', draw)
    return () => {
      observer.disconnect()
      removeEventListener('themechange', draw)
    }
  }, [state.items, position, moments.length])
  const shown = place ?? live
  const value = shown === null ? '' : `line ${shown.sequence}, ${dateOf(shown.at)} ${timeOf(shown.at)} UTC`
  return (
    <section class={`timeline ${place === null ? '' : 'past'}`} aria-label="Timeline">
      <div class="strip">
        <div class="lane-names" aria-hidden="true">
          {lanes.map((lane) => (
            <span key={lane}>{lane}</span>
          ))}
        </div>
        <div class="lanes">
          <div aria-hidden="true">
            <canvas ref={canvas} style={{ height: `${stripHeight}px` }} />
          </div>
          <input
            type="range"
            min={0}
            max={moments.length + 1}
            step={1}
            value={position}
            aria-label="Moment of the past"
            aria-valuetext={place === null ? `now, ${value}` : value}
            onInput={(event) => session.scrub(Number(event.currentTarget.value))}
          />
        </div>
      </div>
      <TimelineBar />
    </section>
  )
}

/** The present position in the past, and what can be done there. */
function TimelineBar() {
  const { session, state } = useConsole()
  const { moments, place, begins, isPastWhole } = state
  return (
    <div class="timeline-bar">
      <span class="row">
        <button
          type="button"
          title="One moment back ( [ )"
          aria-label="One moment back"
          onClick={() => session.step(-1)}
        >
          ◀
        </button>
        <button
          type="button"
          title="One moment on ( ] )"
          aria-label="One moment on"
          disabled={place === null}
          onClick={() => session.step(1)}
        >
          ▶
        </button>
        <button type="button" title="Previous failure ( F )" onClick={() => session.failure(-1)}>
          ◀ failure
        </button>
        <button type="button" title="Next failure ( f )" onClick={() => session.failure(1)}>
          failure ▶
        </button>
      </span>
      <span class="muted">
        {begins === null ? 'reading the past' : `from #${begins.sequence} ${timeOf(begins.at)}`}
        {isPastWhole ? '' : ', still reading'}
        {` · ${moments.length} moments`}
      </span>
      {place === null ? (
        <span class="badge good">now</span>
      ) : (
        <span class="row">
          <strong>
            #{place.sequence} {timeOf(place.at)}
          </strong>
          <button
            type="button"
            onClick={() => session.keep().then((kept) => kept && session.say(`Kept as ${kept.id}`))}
          >
            Keep as snapshot
          </button>
          <button type="button" onClick={() => session.fork()}>
            Fork a world here
          </button>
          <button
            type="button"
            class="primary"
            title="Back to now ( Esc )"
            onClick={() => session.show({ place: null })}
          >
            Back to now
          </button>
        </span>
      )}
    </div>
  )
}

/** One mark for each moment and lane; where there are more moments than pixels, one for each pixel. */
function drawLanes(canvas: HTMLCanvasElement, { items, moments, place }: ConsoleState): void {
  const context = canvas.getContext('2d')
  const width = canvas.clientWidth
  if (context === null || width === 0) return
  const ratio = window.devicePixelRatio
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(stripHeight * ratio)
  context.scale(ratio, ratio)
  const style = getComputedStyle(canvas)
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim()
  context.fillStyle = colour('line-faint')
  for (const [lane] of lanes.entries()) context.fillRect(0, 3 + lane * laneHeight + laneHeight / 2, width, 1)
  // The thumb's middle goes from half of it to half of it before the end.
  const thumb = 16
  const x = (position: number) => thumb / 2 + (position / (moments.length + 1)) * (width - thumb)
  const drawn = new Set<number>()
  const first = items[0]?.index ?? 0
  for (const [index, moment] of moments.entries()) {
    const at = Math.round(x(index + 1))
    for (let item = moment.firstIndex; item <= moment.lastIndex; item += 1)
      drawItem(context, items[item - first], at, drawn, colour)
  }
  context.fillStyle = colour(place === null ? 'accent' : 'past')
  const here = place === null ? moments.length + 1 : positionOf(moments, place)
  context.fillRect(Math.round(x(here)) - 1, 0, 2, stripHeight)
}

function drawItem(
  context: CanvasRenderingContext2D,
  item: HistoryItem | undefined,
  at: number,
  drawn: Set<number>,
  colour: (name: string) => string,
): void {
  if (item === undefined) return
  const lane = lanes.indexOf(laneOf(item))
  const isFailure = item.refusal !== null
  const mark = (at * lanes.length + lane) * 2 + (isFailure ? 1 : 0)
  if (drawn.has(mark)) return
  drawn.add(mark)
  context.fillStyle = colour(isFailure ? 'bad' : `lane-${lanes[lane]}`)
  const top = 3 + lane * laneHeight
  // Failures are longer, so they can be seen without their colour.
  if (isFailure) context.fillRect(at - 1, top - 1, 3, laneHeight + 1)
  else context.fillRect(at - 1, top + 1, 2, laneHeight - 3)
}
