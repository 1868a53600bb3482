import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { compareMoments, longestNote } from '../../api/noted-moments.ts'
import { makeTimeTicks } from '../../pages/ticks.ts'
import type { Span } from '../model/chart-data.ts'
import { formatDate, formatNumber, formatTime } from '../model/format.ts'
import type { Session } from '../model/session.ts'
import { computeDensity, computeStripSpan, type Density, listUpcoming } from '../model/strip.ts'
import { eventCategories, findPosition } from '../model/timeline.ts'
import { clearCanvas } from '../parts/clear-canvas.ts'
import { Button, Choice, Field, Form } from '../parts/form.tsx'
import { useShown } from '../parts/use-console.ts'

const laneHeight = 14
const axisHeight = 16
const stripHeight = laneHeight * eventCategories.length + axisHeight

/** The whole history as a strip on a time axis: rows of what happened, and the shown moment. */
export function TimelineStrip() {
  const { session, view, moments, moment, live, items, begins, span } = useShown()
  const canvas = useRef<HTMLCanvasElement>(null)
  const failures = useRef<HTMLCanvasElement>(null)
  const position = moment === null ? moments.length + 1 : findPosition(moments, moment)
  const whole = computeStripSpan(begins, live)
  const ahead = useMemo(
    () => (whole === null ? [] : listUpcoming(whole, view.upcoming)),
    [whole?.from, whole?.to, view.upcoming],
  )
  const shown =
    whole === null || span === null ? whole && { ...whole, to: Math.max(whole.to, ...ahead) } : span
  const times = useMemo(() => items.map(({ at }) => Date.parse(at)), [items])
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.target.clientWidth ?? 0))
    if (canvas.current !== null) observer.observe(canvas.current)
    return () => observer.disconnect()
  }, [])
  const density = useMemo(
    () => (shown === null || width === 0 ? null : computeDensity(items, times, shown, width)),
    [times, shown?.from, shown?.to, width],
  )
  useEffect(() => {
    const [element, over] = [canvas.current, failures.current]
    if (element === null || over === null || shown === null || density === null) return
    const draw = () => drawStrip(element, over, density, shown, ahead)
    draw()
    addEventListener('themechange', draw)
    return () => removeEventListener('themechange', draw)
  }, [density, ahead, shown?.from, shown?.to])
  const spoken = moment ?? live
  const value =
    spoken === null ? '' : `line ${spoken.sequence}, ${formatDate(spoken.at)} ${formatTime(spoken.at)} UTC`
  return (
    <section class={`timeline ${moment === null ? '' : 'past'}`} aria-label="Timeline">
      <div class="strip">
        <LaneNames totals={density?.totals ?? []} ahead={view.upcoming.length} />
        <div class="lanes">
          <div
            aria-hidden="true"
            style={{ height: `${stripHeight}px` }}
            {...(shown === null ? {} : createPointerActions(session, shown, whole?.to ?? shown.to))}
          >
            <canvas ref={canvas} />
            {shown === null || width === 0 ? null : <Marks x={createScale(shown, width)} width={width} />}
            <canvas ref={failures} />
          </div>
          <input
            type="range"
            class="hidden"
            min={0}
            max={moments.length + 1}
            step={1}
            value={position}
            aria-label="Moment of the past"
            aria-valuetext={moment === null ? `now, ${value}` : value}
            onInput={(event) => session.scrub(Number(event.currentTarget.value))}
          />
        </div>
      </div>
      <TimelineBar />
    </section>
  )
}

interface LaneNamesProps {
  readonly totals: readonly number[]
  /** Number of actions that the script has still to do. */
  readonly ahead: number
}

const LaneNames = ({ totals, ahead }: LaneNamesProps) => (
  <div class="lane-names" aria-hidden="true">
    {eventCategories.map((lane, index) => (
      <span key={lane}>
        {lane} <b>{formatNumber(totals[index] ?? 0)}</b>
        {lane === 'script' && ahead > 0 ? ` +${ahead}` : ''}
      </span>
    ))}
  </div>
)

function createPointerActions(session: Session, shown: Span, now: number) {
  const instant = (event: PointerEvent | WheelEvent) => {
    const { currentTarget } = event
    if (!(currentTarget instanceof HTMLElement)) return shown.to
    const { left, width } = currentTarget.getBoundingClientRect()
    return shown.from + ((event.clientX - left) / width) * (shown.to - shown.from)
  }
  const go = (event: PointerEvent) => {
    const at = instant(event)
    if (at >= Math.min(now, shown.to)) session.show({ moment: null })
    else session.goTo(new Date(Math.max(0, at)).toISOString())
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.currentTarget instanceof HTMLElement) event.currentTarget.setPointerCapture(event.pointerId)
      go(event)
    },
    onPointerMove: (event: PointerEvent) => {
      session.pointer.set({ at: instant(event) })
      if (event.buttons === 1) go(event)
    },
    onPointerLeave: () => session.pointer.set({ at: null }),
    onWheel: (event: WheelEvent) => {
      event.preventDefault()
      const at = instant(event)
      const by = event.deltaY > 0 ? 1.5 : 1 / 1.5
      session.zoomAround({ from: at - (at - shown.from) * by, to: at + (shown.to - at) * by })
    },
  }
}

function TimelineBar() {
  const { session, items, moments, moment, begins, isPastWhole, isRecording } = useShown()
  // The page keeps the newest only, and the server counts from 0.
  const firstIndex = items[0]?.index ?? 0
  return (
    <div class="timeline-bar">
      <span class="row">
        <Button title="One moment back ( [ )" aria-label="One moment back" onClick={() => session.step(-1)}>
          ◀
        </Button>
        <Button
          title="One moment on ( ] )"
          aria-label="One moment on"
          disabled={moment === null}
          onClick={() => session.step(1)}
        >
          ▶
        </Button>
        <Button title="Previous failure ( F )" onClick={() => session.goToFailure(-1)}>
          ◀ failure
        </Button>
        <Button title="Next failure ( f )" onClick={() => session.goToFailure(1)}>
          failure ▶
        </Button>
      </span>
      <span class="muted">
        {begins === null ? 'reading the past' : `from #${begins.sequence} ${formatTime(begins.at)}`}
        {isPastWhole ? '' : ', still reading'}
        {` · ${formatNumber(moments.length)} moment${moments.length === 1 ? '' : 's'}`}
        {firstIndex === 0
          ? ''
          : `, of ${formatNumber(firstIndex + items.length)} events the newest ${formatNumber(items.length)}`}
      </span>
      <Notes />
      {moment === null ? (
        <span class="badge good">now</span>
      ) : (
        <span class="row">
          <strong>
            #{moment.sequence} {formatTime(moment.at)}
          </strong>
          {isRecording ? null : (
            <>
              <Button
                onClick={() =>
                  session.takeSnapshot().then((kept) => kept && session.showMessage(`Kept as ${kept.id}`))
                }
              >
                Keep as snapshot
              </Button>
              <Button onClick={() => session.fork()}>Fork a world here</Button>
            </>
          )}
          <Button class="primary" title="Back to now ( Esc )" onClick={() => session.show({ moment: null })}>
            Back to now
          </Button>
        </span>
      )}
    </div>
  )
}

/** The notes on moments: those there are, to go to, and a field for one on the shown moment. */
function Notes() {
  const { session, notes, moment, live } = useShown()
  const here = moment ?? live
  const own = notes.find((note) => here !== null && compareMoments(note, here) === 0)
  return (
    <span class="row notes">
      {notes.length === 0 ? null : (
        <Choice
          label=""
          aria-label="Go to a note"
          value=""
          options={[
            ['', `${notes.length} note${notes.length === 1 ? '' : 's'}`] as const,
            ...notes.map(({ at, text }, place) => [String(place), `${formatTime(at)} ${text}`] as const),
          ]}
          choose={(place) => {
            const { sequence, at } = notes[Number(place)] ?? {}
            if (sequence !== undefined && at !== undefined) session.show({ moment: { sequence, at } })
          }}
        />
      )}
      <Form
        class="row"
        key={moment === null ? 'now' : `${moment.sequence} ${moment.at}`}
        send={({ note = '' }, form) => {
          session.note(note)
          form.reset()
        }}
      >
        <Field
          label=""
          aria-label="Note on this moment"
          {...{ name: 'note', size: 18, maxLength: longestNote, placeholder: 'Note on this moment' }}
          defaultValue={own?.text ?? ''}
        />
        <button type="submit">Note</button>
      </Form>
    </span>
  )
}

/** Converts an instant to its pixel in the strip. */
type Scale = (millis: number) => number

const createScale =
  ({ from, to }: Span, width: number): Scale =>
  (millis) =>
    ((millis - from) / Math.max(1, to - from)) * width

/**
 * Marks of the shown moment and of the pointer. They are elements above the canvas, because a canvas that
 * changes costs a third of a frame without a graphics processor.
 */
function Marks({ x, width }: { readonly x: Scale; readonly width: number }) {
  const { session, moment, live } = useShown()
  const pointer = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const move = () => {
      const { at } = session.pointer.get()
      if (pointer.current === null) return
      pointer.current.hidden = at === null
      pointer.current.style.transform = `translateX(${Math.round(x(at ?? 0))}px)`
    }
    move()
    return session.pointer.subscribe(move)
  })
  const here = Math.round(x(Date.parse(moment?.at || (live?.at ?? ''))))
  return (
    <>
      <div class="mark pointer" ref={pointer} />
      <div
        class={`mark ${moment === null ? '' : 'past'}`}
        style={{ transform: `translateX(${Math.min(width - 2, here - 1)}px)` }}
      />
    </>
  )
}

/** Draws what happened, and on a canvas above the marks what failed, because many marks are at failures. */
function drawStrip(
  canvas: HTMLCanvasElement,
  over: HTMLCanvasElement,
  density: Density,
  span: Span,
  ahead: readonly number[],
): void {
  const { clientWidth: width } = canvas
  const [context, failing] = [clearCanvas(canvas), clearCanvas(over)]
  if (context === null || failing === null) return
  const style = getComputedStyle(canvas)
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim()
  const x = createScale(span, width)
  drawAxis(context, span, x, width, colour)
  drawLanes(context, density, width, colour)
  // Actions that have not happened yet are hollow.
  context.strokeStyle = colour('lane-script')
  const foot = (eventCategories.indexOf('script') + 1) * laneHeight
  for (const at of ahead) if (at <= span.to) context.strokeRect(Math.round(x(at)) - 2.5, foot - 9.5, 4, 8)
  // Failures fill the whole height of a lane, so that they can be seen without their colour.
  failing.fillStyle = colour('bad')
  for (const [lane, failures] of density.failures.entries())
    for (const [pixel, count] of failures.entries())
      if (count > 0) failing.fillRect(pixel - 1, lane * laneHeight, 3, laneHeight)
}

/** Draws a bar for each pixel, higher where more happened. */
function drawLanes(
  context: CanvasRenderingContext2D,
  { counts, most, isSparse }: Density,
  width: number,
  colour: (name: string) => string,
): void {
  for (const [lane, name] of eventCategories.entries()) {
    const foot = (lane + 1) * laneHeight
    context.fillStyle = colour('line-faint')
    context.fillRect(0, foot - 1, width, 1)
    const root = Math.sqrt(most[lane] ?? 1)
    context.fillStyle = colour(`lane-${name}`)
    for (const [pixel, count] of counts[lane]?.entries() ?? []) {
      if (count === 0) continue
      const height = Math.max(3, (Math.sqrt(count) / root) * (laneHeight - 3))
      context.fillRect(pixel, foot - 1 - height, isSparse ? 2 : 1, height)
    }
  }
}

const labelPixels = 96

function drawAxis(
  context: CanvasRenderingContext2D,
  span: Span,
  x: Scale,
  width: number,
  colour: (name: string) => string,
): void {
  context.font = '11px ui-monospace, monospace'
  let free = Number.NEGATIVE_INFINITY
  for (const { value, label, underLabel } of makeTimeTicks(span.from, span.to, width / labelPixels)) {
    const at = Math.round(x(value))
    context.fillStyle = colour('line-faint')
    context.fillRect(at, 0, 1, stripHeight - axisHeight + 4)
    context.fillStyle = colour('muted')
    const text = `${underLabel} ${label}`.trim()
    // A label that would overlap the one before or the end is left out.
    const end = at + context.measureText(text).width + 3
    if (at < free || end > width) continue
    free = end + 3
    context.fillText(text, at + 3, stripHeight - 4)
  }
}
