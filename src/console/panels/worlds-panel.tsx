import { useEffect, useState } from 'preact/hooks'
import { type DifferenceRow, type FirstDifference, findFirstDifference } from '../model/compare-worlds.ts'
import type { HistoryEntry, WorldRow } from '../model/documents.ts'
import { formatAge, formatNumber, formatTime } from '../model/format.ts'
import { readWholePast } from '../model/lineage.ts'
import { openJournal } from '../model/open-journal.ts'
import type { Session } from '../model/session.ts'
import { Button, Field, Form, type FormValues, SelectField } from '../parts/form.tsx'
import { type Column, numberColumn, RowActions, Table } from '../parts/table.tsx'
import { useConsole } from '../parts/use-console.ts'
import { formatDetails } from './log-panel.tsx'

/** Milliseconds between two readings of the list of worlds; only the shown world reports its events. */
const othersEveryMillis = 5000

export function WorldsPanel() {
  const { session, worlds, world, live, requests } = useConsole()
  const [rows, setRows] = useState<readonly WorldRow[]>([])
  const [scenarios, setScenarios] = useState<readonly string[]>([])
  const [compared, setCompared] = useState<Compared | null>(null)
  useEffect(() => {
    const read = () =>
      session
        .ask<{ readonly worlds: readonly WorldRow[] }>('GET', '/worlds')
        .then((list) => setRows(list?.worlds ?? []))
    read()
    const often = setInterval(read, othersEveryMillis)
    return () => clearInterval(often)
  }, [session, worlds.join(), live?.sequence, requests.length])
  useEffect(() => {
    session
      .ask<{ readonly scenarios: readonly string[] }>('GET', '/info')
      .then((info) => setScenarios(info?.scenarios ?? []))
  }, [session])
  const now = new Date().toISOString()
  const compareWith = async (other: string) => {
    const pasts = await session.attempt(() =>
      Promise.all([world, other].map((id) => readWholePast(session.api, id))),
    )
    const [left, right] = pasts ?? []
    session.compare(other)
    if (left !== undefined && right !== undefined)
      setCompared({ world, other, difference: findFirstDifference(left, right) })
  }
  const remove = (id: string) => session.ask('DELETE', `/worlds/${encodeURIComponent(id)}`)
  return (
    <div class="worlds">
      <NewWorld scenarios={scenarios} session={session} />
      {compared === null || compared.world !== world ? null : <DifferenceTable {...compared} />}
      <Table
        label="Worlds"
        columns={worldColumns(session, world, compareWith, remove, now)}
        rows={rows}
        keyOf={({ id }) => id}
      />
    </div>
  )
}

interface Compared {
  readonly world: string
  readonly other: string
  readonly difference: FirstDifference
}

const worldColumns = (
  session: Session,
  shown: string,
  compareWith: (other: string) => void,
  remove: (id: string) => void,
  now: string,
): readonly Column<WorldRow>[] => [
  {
    name: 'World',
    cell: ({ id }) => (
      <Button class="quiet" aria-pressed={id === shown} onClick={() => session.show({ world: id })}>
        {id}
      </Button>
    ),
  },
  {
    name: 'Test',
    cell: ({ test, failedTest }) => (
      <span class={`name ${failedTest === null ? '' : 'bad'}`} title={test ?? ''}>
        {failedTest === null ? test : `✗ ${failedTest}`}
      </span>
    ),
  },
  { name: 'Scenario', cell: ({ scenario }) => scenario },
  {
    name: 'Seed',
    cell: ({ seed }) => (
      <code class="name" title={seed}>
        {seed}
      </code>
    ),
  },
  { name: 'Clock', cell: ({ clock }) => clock.mode },
  numberColumn('Time', (row) => formatTime(row.now)),
  numberColumn('Requests', ({ requests }) => formatNumber(requests)),
  numberColumn('Failed', ({ failures }) => (
    <span class={failures > 0 ? 'bad' : ''}>{formatNumber(failures)}</span>
  )),
  numberColumn('Age', ({ madeAt }) => formatAge(madeAt, now)),
  {
    name: 'Do',
    cell: ({ id }) => (
      <RowActions
        of={[
          ...(id === shown ? [] : [['Compare', `Compare with ${id}`, () => compareWith(id)] as const]),
          ['Fork', `Fork ${id}`, () => session.fork(id)],
          ...(id === 'default' ? [] : [['Delete', `Delete ${id}`, () => remove(id)] as const]),
        ]}
      />
    ),
  },
]

interface NewWorldProps {
  readonly scenarios: readonly string[]
  readonly session: Session
}

function NewWorld({ scenarios, session }: NewWorldProps) {
  const send = async (values: FormValues) => {
    const body = { ...values, clock: { mode: 'manual' } }
    const made = await session.ask<WorldRow>('POST', '/worlds', body)
    if (made !== null) session.show({ world: made.id })
  }
  const names = scenarios.map((name) => [name, name] as const)
  return (
    <Form send={send}>
      <SelectField label="Scenario" name="scenario" options={[['', 'the default world’s'], ...names]} />
      <Field label="Seed" name="seed" size={12} maxLength={256} placeholder="the scenario’s" />
      <Field label="Name" name="id" size={12} placeholder="from a counter" />
      <button type="submit">New world</button>
      <Field
        label="Open a journal, or drop it anywhere"
        {...{ type: 'file', multiple: true }}
        onChange={({ currentTarget }) => openJournal(session, [...(currentTarget.files ?? [])])}
      />
    </Form>
  )
}

/** Says how much two worlds have in common, and what each did then: `487 commands in common, then …`. */
function describeDifference({ commonLines, rows }: FirstDifference, world: string, other: string): string {
  const first = rows.find(({ isFirst }) => isFirst)
  const describe = (id: string, item: HistoryEntry | null | undefined) =>
    `${id}: ${item === null || item === undefined ? 'nothing more' : `${item.type} ${formatDetails(item)}`.trim()}`
  const count = `${formatNumber(commonLines)} command${commonLines === 1 ? '' : 's'}`
  return `${count} in common, then ${describe(world, first?.left)}; ${describe(other, first?.right)}.`
}

function DifferenceTable({ world, other, difference: parting }: Compared) {
  const { session } = useConsole()
  const { common, isSame, rows } = parting
  const cell = (id: string, item: HistoryEntry | null) =>
    item === null ? (
      <span class="muted">nothing more</span>
    ) : (
      <Button
        class="quiet"
        onClick={() => session.show({ world: id, moment: { sequence: item.sequence, at: item.at } })}
      >
        <ItemText item={item} />
      </Button>
    )
  const columns: readonly Column<DifferenceRow>[] = [
    {
      name: 'Where',
      cell: ({ isFirst }) => (isFirst ? <span class="badge warn">first difference</span> : ''),
    },
    { name: world, cell: ({ left }) => cell(world, left) },
    { name: other, cell: ({ right }) => cell(other, right) },
  ]
  return (
    <>
      <p role="status">
        {isSame
          ? `${world} and ${other} have had the same ${formatNumber(common)} things happen.`
          : describeDifference(parting, world, other)}
      </p>
      {isSame ? null : (
        <Table
          label={`${world} beside ${other}`}
          columns={columns}
          rows={rows}
          keyOf={({ left, right }) => `${left?.index} ${right?.index}`}
        />
      )}
    </>
  )
}

const ItemText = ({ item }: { readonly item: HistoryEntry }) => (
  <>
    <span class="muted">
      {formatTime(item.at)} #{item.sequence}
    </span>{' '}
    {item.type} {formatDetails(item)}
    {item.refusal === null ? null : <span class="badge bad">{item.refusal}</span>}
  </>
)
