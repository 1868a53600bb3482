import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import {
  defaultLayout,
  type Layout,
  type LayoutStep,
  movePanel,
  type PanelName,
  panelNames,
  putBefore,
  setHeight,
  widenColumn,
} from '../model/layout.ts'
import type { Session } from '../model/session.ts'
import { isUsualLayout } from '../model/settings.ts'
import { Button } from '../parts/form.tsx'
import { useConsole, useSettings } from '../parts/use-console.ts'

interface WorkspaceProps {
  readonly panels: { readonly [name in PanelName]: () => ComponentChildren }
}

/** Sections of the page on a narrow screen, which shows one at a time. */
const sections = [
  ['Market', ['market', 'ticket']],
  ['Book', ['book']],
  ['Orders', ['orders']],
  ['Requests', ['requests']],
  ['Account', ['portfolio', 'risk']],
  ['Controls', ['controls']],
] as const

const titles: { readonly [name in PanelName]: string } = {
  market: 'Market',
  orders: 'Orders',
  book: 'Order book',
  ticket: 'Ticket',
  requests: 'Requests and history',
  portfolio: 'Portfolio',
  risk: 'Risk limits',
  controls: 'Controls',
}

/** The panels in the layout that the user has arranged: three columns that fill the screen, and three below it. */
export function Workspace({ panels }: WorkspaceProps) {
  const { session } = useConsole()
  const { layout } = useSettings(session)
  const [section, setSection] = useState<string>(sections[0][0])
  useEffect(() => listenToMoves(session), [session])
  const change = (next: Layout) => session.settings.set({ layout: next })
  // A column without panels leaves its place to the others.
  const [second, third] = layout.widths.map((width, index) =>
    layout.columns[index + 1]?.length === 0 ? 8 : width,
  )
  const band = (from: number) => (
    <div
      class={from === 0 ? 'band first' : 'band'}
      style={{ '--second': `${second}px`, '--third': `${third}px` }}
    >
      {layout.columns.slice(from, from + 3).map((column, index) => (
        <div key={index} class="column">
          {column.map((name, place) => (
            <Cell
              key={name}
              {...{ name, layout, change, isLast: place === column.length - 1 }}
              isHere={sections.some(
                ([title, names]) => title === section && names.some((each) => each === name),
              )}
            >
              {panels[name]()}
            </Cell>
          ))}
          {from === 0 && index > 0 ? (
            <ColumnEdge {...{ layout, change }} column={index === 1 ? 1 : 2} />
          ) : null}
        </div>
      ))}
    </div>
  )
  return (
    <>
      <nav class="sections" aria-label="Sections">
        {sections.map(([title]) => (
          <Button key={title} aria-pressed={title === section} onClick={() => setSection(title)}>
            {title}
          </Button>
        ))}
      </nav>
      <main>
        {band(0)}
        {band(3)}
        {isUsualLayout(layout) ? null : (
          <p class="row reset-layout">
            <Button onClick={() => change(defaultLayout)}>Put the panels back as they were</Button>
          </p>
        )}
      </main>
    </>
  )
}

interface CellProps {
  readonly name: PanelName
  readonly layout: Layout
  readonly change: (layout: Layout) => void
  readonly isLast: boolean
  /** Whether a narrow screen shows it at present. */
  readonly isHere: boolean
  readonly children: ComponentChildren
}

const panelType = 'application/x-otcsim-panel'

const directions: ReadonlyMap<string, LayoutStep> = new Map([
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
])

/** Lets panels be dropped on others, before which they then stand, until the returned function is called. */
function listenToMoves({ settings }: Session): () => void {
  const listen = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes(panelType) !== true) return
    for (const marked of document.querySelectorAll('.cell.target')) marked.classList.remove('target')
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('.cell') : null
    if (cell === null) return
    event.preventDefault()
    if (event.type === 'dragover') cell.classList.add('target')
    const find = (name: string | undefined) => panelNames.find((each) => each === name)
    const [moved, other] = [find(event.dataTransfer.getData(panelType)), find(cell.dataset['panel'])]
    if (event.type !== 'drop' || moved === undefined || other === undefined) return
    settings.set({ layout: putBefore(settings.get().layout, moved, other) })
  }
  for (const type of ['dragover', 'drop', 'dragend'] as const) document.addEventListener(type, listen)
  return () => {
    for (const type of ['dragover', 'drop', 'dragend'] as const) document.removeEventListener(type, listen)
  }
}

/** Place of a panel, with the grip that moves it and the edge that sets its height. */
function Cell({ name, layout, change, isLast, isHere, children }: CellProps) {
  const height = layout.heights[name]
  const move = (event: KeyboardEvent) => {
    const direction = directions.get(event.key)
    if (direction === undefined) return
    event.preventDefault()
    change(movePanel(layout, name, direction))
  }
  return (
    <div
      class={`cell at-${name} ${isHere ? 'here' : ''} ${height === undefined ? '' : 'sized'}`}
      data-panel={name}
      style={height === undefined ? {} : { '--height': `${height}px` }}
    >
      {children}
      <button
        type="button"
        class="quiet mover"
        draggable
        aria-label={`Move ${titles[name]}`}
        title="Drag it, or move it with the arrow keys"
        onKeyDown={move}
        onDragStart={(event) => event.dataTransfer?.setData(panelType, name)}
      >
        ⠿
      </button>
      {isLast ? null : (
        <Edge
          label={`Height of ${titles[name]}`}
          isVertical={false}
          size={height ?? 0}
          begin={(edge) => edge.parentElement?.clientHeight ?? 0}
          drag={(from, by) => change(setHeight(layout, name, from + by))}
        />
      )}
    </div>
  )
}

interface ColumnEdgeProps {
  readonly layout: Layout
  readonly change: (layout: Layout) => void
  readonly column: 1 | 2
}

const ColumnEdge = ({ layout, change, column }: ColumnEdgeProps) => (
  <Edge
    label={`Width of the ${column === 1 ? 'second' : 'third'} column`}
    isVertical
    size={layout.widths[column - 1] ?? 0}
    begin={() => layout.widths[column - 1] ?? 0}
    drag={(from, by) => change(widenColumn(layout, column, from - by - (layout.widths[column - 1] ?? 0)))}
  />
)

interface EdgeProps {
  readonly label: string
  readonly isVertical: boolean
  /** Size in pixels; 0 where it is that of its content. */
  readonly size: number
  /** Returns the size in pixels that it has when the drag begins. */
  readonly begin: (edge: HTMLElement) => number
  /** Sets the size: what it was when the drag began, and by how many pixels the pointer has moved since. */
  readonly drag: (from: number, by: number) => void
}

const keyPixels = 16

/** Edge between panels, which is dragged, or moved with the arrow keys. */
function Edge({ label, isVertical, size, begin, drag }: EdgeProps) {
  const [held, setHeld] = useState<{ readonly at: number; readonly from: number } | null>(null)
  const at = ({ clientX, clientY }: PointerEvent) => (isVertical ? clientX : clientY)
  const press = (event: KeyboardEvent) => {
    const [less, more] = isVertical ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown']
    const by = event.key === less ? -keyPixels : event.key === more ? keyPixels : 0
    if (by === 0 || !(event.currentTarget instanceof HTMLElement)) return
    event.preventDefault()
    drag(begin(event.currentTarget), by)
  }
  return (
    <hr
      class={`edge ${isVertical ? 'vertical' : ''}`}
      aria-label={label}
      aria-orientation={isVertical ? 'vertical' : 'horizontal'}
      aria-valuenow={size}
      tabIndex={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setHeld({ at: at(event), from: begin(event.currentTarget) })
      }}
      onPointerMove={(event) => held !== null && drag(held.from, at(event) - held.at)}
      onPointerUp={() => setHeld(null)}
      onPointerCancel={() => setHeld(null)}
      onKeyDown={press}
    />
  )
}
