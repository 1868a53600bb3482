import type { ComponentChildren } from 'preact'
import { Button } from './form.tsx'

export interface Column<Row> {
  readonly name: string
  readonly isNumber?: boolean
  readonly cell: (row: Row) => ComponentChildren
}

/** Creates a column of right-aligned numbers. */
export const numberColumn = <Row,>(name: string, cell: Column<Row>['cell']): Column<Row> => ({
  ...{ name, cell, isNumber: true },
})

interface TableProps<Row> {
  /** Name of the table for screen readers. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <section class="scroll" tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" class={isNumber ? 'number' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, isNumber, cell }) => (
                <td key={name} class={isNumber ? 'number' : ''}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Side of an order or position, which differs in shape and word and not only in colour. */
export function Side({ side, children }: SideProps) {
  const isUp = side === 'buy' || side === 'long'
  return (
    <span class={isUp ? 'up' : 'down'}>
      <span aria-hidden="true">{isUp ? '▲' : '▼'}</span>{' '}
      {children === undefined ? (
        side
      ) : (
        <>
          {children} <span class="hidden">{side}</span>
        </>
      )}
    </span>
  )
}

interface SideProps {
  readonly side: 'buy' | 'sell' | 'long' | 'short'
  /** Content shown instead of the side's own word, which is then only for screen readers. */
  readonly children?: ComponentChildren
}

/** Amount coloured by its sign. */
export function Gain({ value, text }: { readonly value: number; readonly text: string }) {
  return <span class={value > 0 ? 'up' : value < 0 ? 'down' : ''}>{text}</span>
}

interface RowActionsProps {
  readonly of: readonly (readonly [text: string, label: string, act: () => void])[]
}

/** Actions of a row: one tab stop, from which arrow keys go to the others. */
export function RowActions({ of }: RowActionsProps) {
  const move = ({ target, key }: KeyboardEvent) => {
    if (!(target instanceof HTMLElement)) return
    const { nextElementSibling: next, previousElementSibling: previous } = target
    const neighbour = key === 'ArrowRight' ? next : key === 'ArrowLeft' ? previous : null
    if (neighbour instanceof HTMLElement) neighbour.focus()
  }
  return (
    <span class="row-actions">
      {of.map(([text, label, act], place) => (
        <Button
          {...{ key: text, class: 'quiet', 'aria-label': label, tabIndex: place === 0 ? 0 : -1 }}
          onClick={act}
          onKeyDown={move}
        >
          {text}
        </Button>
      ))}
    </span>
  )
}
