import { useEffect, useState } from 'preact/hooks'
import type { ReadingList } from '../model/documents.ts'
import { Choice } from '../parts/form.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { useConsole } from '../parts/use-console.ts'

/** How each open point of the specification is read in this world; those that differ from the usual come first. */
export function ReadingsPanel() {
  const { session, state } = useConsole()
  const { world, live } = state
  const [known, setKnown] = useState<readonly Known[]>([])
  useEffect(() => {
    session
      .attempt(() =>
        Promise.all([
          session.api.ask<ReadingList>('GET', '/readings'),
          session.api.ask<{ readonly readings: Readonly<Record<string, string>> }>('GET', session.path('')),
        ]),
      )
      .then((answers) => {
        const [list, own] = answers ?? []
        const rows = (list?.readings ?? []).map((row) => ({ ...row, value: own?.readings[row.key] ?? '' }))
        setKnown(rows.sort((left, right) => Number(isUsual(left)) - Number(isUsual(right))))
      })
  }, [session, world, live?.sequence])
  const columns: readonly Column<Known>[] = [
    { name: 'Reading', cell: ({ key, silent }) => <span title={silent}>{key}</span> },
    {
      name: 'Value',
      cell: ({ key, value, alternatives, default: usual }) => (
        <Choice
          label=""
          aria-label={key}
          value={value}
          options={[...new Set([usual, ...alternatives, value])].map((word) => [word, word])}
          choose={(word) => session.act('PUT', '/readings', { [key]: word }, `${key}: ${word}`)}
        />
      ),
    },
    { name: 'Usually', cell: (row) => (isUsual(row) ? '' : row.default) },
  ]
  return <Table label="Readings" columns={columns} rows={known} keyOf={({ key }) => key} />
}

type Known = ReadingList['readings'][number] & { readonly value: string }

const isUsual = (row: Known): boolean => row.value === row.default
