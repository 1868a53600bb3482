import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type uPlot from 'uplot'
import { formatFixed, formatNumber } from '../model/format.ts'
import type { OwnLine } from '../model/ladder.ts'
import { amendPrice, cancelLine } from '../model/ticket.ts'
import { Button } from '../parts/form.tsx'
import { useShown } from '../parts/use-console.ts'

interface OrderLinesProps {
  readonly own: readonly OwnLine[]
  readonly plot: RefObject<uPlot | null>
  /** Is set to what puts the lines in their places. */
  readonly place: { current: (plot: uPlot) => void }
  readonly decimals: number
}

/**
 * The account's orders and quotes as lines on the chart. Dragging one to another price, or arrow keys and Enter, amends
 * it; its cross cancels it. Both are requests of the account, as any client sends them.
 */
export function OrderLines({ own, plot, place, decimals }: OrderLinesProps) {
  const layer = useRef<HTMLDivElement>(null)
  const placeDrawn = (drawn: uPlot) => placeLines(layer.current, drawn)
  place.current = placeDrawn
  return (
    <div class="order-lines" ref={layer}>
      {own.map((line) => (
        <DraggedLine key={`${line.id} ${line.side}`} {...{ line, plot, place, decimals }} />
      ))}
    </div>
  )
}

/** Lays the layer over the plot, and each line at its price; those beyond the scale stand at its edge. */
function placeLines(layer: HTMLDivElement | null, drawn: uPlot): void {
  const wrap = drawn.root.querySelector('.u-wrap')
  if (layer === null || !(wrap instanceof HTMLElement)) return
  const { offsetLeft, offsetTop, clientWidth, clientHeight } = drawn.over
  layer.style.left = `${offsetLeft}px`
  layer.style.top = `${wrap.offsetTop + offsetTop}px`
  layer.style.width = `${clientWidth}px`
  layer.style.height = `${clientHeight}px`
  for (const line of layer.children) {
    if (!(line instanceof HTMLElement)) continue
    const y = drawn.valToPos(Number(line.dataset['price']), 'y')
    const seen = Math.min(Math.max(y, 8), clientHeight - 8)
    line.classList.toggle('beyond', seen !== y)
    line.style.transform = `translateY(${Math.round(seen)}px)`
  }
}

interface DraggedLineProps extends Pick<OrderLinesProps, 'plot' | 'place' | 'decimals'> {
  readonly line: OwnLine
}

function DraggedLine({ line, plot, place, decimals }: DraggedLineProps) {
  const { session, view, selected } = useShown()
  const [wanted, setWanted] = useState<number | null>(null)
  const [isSent, setSent] = useState(false)
  const step = view.pairs.find(({ base }) => base === view.asset)?.priceStep ?? 0.01
  const price = wanted ?? line.price
  useEffect(() => setWanted(null), [line.price])
  const propose = (next: number) => setWanted(Math.max(step, Math.round(next / step) * step))
  const send = async () => {
    if (wanted === null || wanted === line.price) return setWanted(null)
    setSent(true)
    const reply = await session.call(amendPrice(line, Number(wanted.toFixed(decimals))))
    setSent(false)
    if (reply === null || reply.status >= 400) setWanted(null)
    if (reply !== null) session.showReply(reply)
  }
  const cancel = async () => {
    const reply = await session.call(cancelLine(line))
    if (reply !== null) session.showReply(reply)
  }
  const follow = (event: PointerEvent) => {
    const { current: drawn } = plot
    if (drawn === null || !(event.currentTarget instanceof HTMLElement)) return
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    propose(drawn.posToVal(event.clientY - drawn.over.getBoundingClientRect().top, 'y'))
    place.current(drawn)
  }
  const press = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? step : event.key === 'ArrowDown' ? -step : 0
    if (by !== 0) propose(price + by * (event.shiftKey ? 10 : 1))
    else if (event.key === 'Enter') send()
    else if (event.key === 'Delete') cancel()
    else if (event.key === 'Escape' && wanted !== null) setWanted(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const look = `${line.side} ${selected?.id === line.id ? 'selected' : ''} ${wanted === null ? '' : 'moved'}`
  return (
    <div class={`order-line ${look}`} data-price={price}>
      <div
        class="grip"
        role="slider"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={`Price of ${line.id}, ${line.side}`}
        aria-valuemin={0}
        aria-valuenow={price}
        aria-valuetext={`${formatFixed(price, decimals)}${wanted === null ? '' : ', not sent yet'}`}
        aria-busy={isSent}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          session.show({ selected: { kind: line.kind, id: line.id } })
        }}
        onPointerMove={follow}
        onPointerUp={send}
        onPointerCancel={() => setWanted(null)}
        onKeyDown={press}
      >
        {line.side === 'buy' ? '▲ buy' : '▼ sell'} {formatNumber(line.left)} @ {formatFixed(price, decimals)}
      </div>
      <Button class="quiet" aria-label={`Cancel ${line.id}`} title={`Cancel ${line.id}`} onClick={cancel}>
        ✕
      </Button>
    </div>
  )
}
