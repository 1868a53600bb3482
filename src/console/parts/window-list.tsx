import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface WindowListProps<Row> {
  readonly label: string
  /** Rows in ascending order; the list shows the newest first. */
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Key of a row that is kept in view until the user scrolls; '' for none. */
  readonly wanted?: string
  readonly rowPixels?: number
  /** Renders a row. `isStop` says whether the row is the tab stop, from which arrow keys go on. */
  readonly render: (row: Row, isStop: boolean) => ComponentChildren
}

const usualPixels = 24
const beyond = 6

/** Long list, of which only the visible part is rendered. */
export function WindowList<Row>(props: WindowListProps<Row>) {
  const { label, rows, keyOf, render, wanted = '', rowPixels = usualPixels } = props
  const box = useRef<HTMLElement>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(240)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const place = wanted === '' ? -1 : rows.findIndex((row) => keyOf(row) === wanted)
  const isFollowed = useRef(true)
  useEffect(() => {
    isFollowed.current = true
  }, [wanted])
  useEffect(() => {
    if (box.current === null || place < 0 || !isFollowed.current) return
    const from = (rows.length - 1 - place) * rowPixels
    const { scrollTop, clientHeight } = box.current
    if (from < scrollTop || from + rowPixels > scrollTop + clientHeight)
      box.current.scrollTop = Math.max(0, from - clientHeight / 2)
  }, [wanted, place, rows.length, height])
  const leave = () => {
    isFollowed.current = false
  }
  const first = Math.max(0, Math.floor(top / rowPixels) - beyond)
  const count = Math.ceil(height / rowPixels) + 2 * beyond
  const end = rows.length - first
  const shown = rows.slice(Math.max(0, end - count), end).reverse()
  return (
    <section
      class="window"
      ref={box}
      tabIndex={0}
      aria-label={label}
      onKeyDown={moveBetweenRows}
      onWheel={leave}
      onPointerDown={leave}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <ul style={{ height: `${rows.length * rowPixels}px` }}>
        {shown.map((row, index) => (
          <li key={keyOf(row)} style={{ top: `${(first + index) * rowPixels}px` }}>
            {render(row, index === 0)}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Moves the focus from row to row by the arrow keys up and down. */
function moveBetweenRows(event: KeyboardEvent): void {
  const by =
    event.key === 'ArrowDown'
      ? 'nextElementSibling'
      : event.key === 'ArrowUp'
        ? 'previousElementSibling'
        : null
  const row = event.target instanceof HTMLElement ? event.target.closest('li') : null
  const next = by === null ? null : row?.[by]?.querySelector('button')
  if (next === null || next === undefined) return
  event.preventDefault()
  next.focus()
}
