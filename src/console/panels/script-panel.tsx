import type { View } from '../model/documents.ts'
import { countdown, timeOf } from '../model/format.ts'
import { Empty } from '../parts/panel.tsx'
import { type Column, figures, Table } from '../parts/table.tsx'
import { useConsole } from '../parts/use-console.ts'

/** What the scenario does next by itself. */
export function ScriptPanel() {
  const { view } = useConsole().state
  if (view === null || view.upcoming.length === 0)
    return <Empty>The script of {view?.scenario} has nothing more to do.</Empty>
  const columns: readonly Column<View['upcoming'][number]>[] = [
    figures('When', ({ at }) => (at === null ? '' : timeOf(at))),
    figures('In', ({ at }) => (at === null ? '' : countdown(at, view.now))),
    { name: 'Does', cell: ({ action }) => action },
    { name: 'To', cell: ({ about }) => about },
    { name: 'Label', cell: ({ id }) => id ?? '' },
    { name: 'After', cell: ({ waitsFor }) => waitsFor ?? '' },
    { name: 'Where', cell: ({ place }) => <code>{place}</code> },
  ]
  return <Table label="Script" columns={columns} rows={view.upcoming} keyOf={(row) => JSON.stringify(row)} />
}
