import { useEffect, useState } from 'preact/hooks'
import type { ReadingList } from '../model/documents.ts'
import { toNumber } from '../model/ticket.ts'
import { Button, Choice, Field, Form, type FormValues, SelectField } from '../parts/form.tsx'
import { Empty } from '../parts/panel.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { useShown } from '../parts/use-console.ts'

const moves = [-10, -5, -1, 1, 5, 10] as const

const normal = { spreadX: 1, depthX: 1, oneSided: null, stale: false }
const books = [
  ['Thin and wide', { spreadX: 5, depthX: 0.2 }],
  ['Asks only', { oneSided: 'asks' }],
  ['Bids only', { oneSided: 'bids' }],
  ['Stale', { stale: true }],
  ['Normal', {}],
] as const

export function ControlsPanel() {
  const { session, view, asset, account, moment } = useShown()
  if (moment !== null)
    return (
      <Empty>The past stays as it was. Fork a world at this moment to continue differently from here.</Empty>
    )
  const pair = view.pairs.find(({ base }) => base === asset)
  const isHalted = pair?.status === 'inactive'
  const symbol = pair?.symbol ?? ''
  const inForce: Readonly<Record<string, unknown>> = { ...view.liquidity }
  return (
    <div class="controls">
      <h3>{asset}: price</h3>
      <PriceMoves />
      <h3>{asset}: book</h3>
      <p class="row">
        {books.map(([name, body]) => (
          <Button
            key={name}
            aria-pressed={Object.entries({ ...normal, ...body }).every(
              ([field, value]) => inForce[field] === value,
            )}
            onClick={() => session.act('PUT', `/market/${asset}/liquidity`, body, `${asset}: ${name}`)}
          >
            {name}
          </Button>
        ))}
        <Button
          aria-pressed={isHalted}
          onClick={() =>
            session.act(
              'PATCH',
              `/pairs/${symbol}`,
              { status: isHalted ? 'active' : 'inactive' },
              `${symbol}: ${isHalted ? 'active again' : 'halted'}`,
            )
          }
        >
          {isHalted ? 'Resume' : 'Halt'} {symbol}
        </Button>
      </p>
      {account === '' ? null : (
        <>
          <h3>{account}: money</h3>
          <TransferForm />
        </>
      )}
    </div>
  )
}

function PriceMoves() {
  const { session, asset } = useShown()
  return (
    <p class="row">
      {moves.map((percent) => (
        <Button
          key={percent}
          onClick={() =>
            session.act(
              'POST',
              `/market/${asset}/price`,
              { percent },
              `${asset}: ${percent > 0 ? '+' : ''}${percent} %`,
            )
          }
        >
          {percent > 0 ? `+${percent}` : `−${-percent}`} %
        </Button>
      ))}
    </p>
  )
}

function TransferForm() {
  const { session, view, account } = useShown()
  const assets = view.balances.map((balance) => balance.asset)
  const send = ({ asset, quantity }: FormValues, _form: HTMLFormElement, kind: string) =>
    session.act(
      'POST',
      `/accounts/${encodeURIComponent(account)}/${kind}`,
      { asset, quantity: toNumber(quantity) },
      `${kind}: ${quantity} ${asset}`,
    )
  const options = (assets.length === 0 ? ['USD'] : assets).map((name) => [name, name] as const)
  return (
    <Form send={send}>
      <SelectField label="Asset" name="asset" options={options} />
      <Field label="Quantity" name="quantity" inputMode="decimal" required placeholder="1000" size={10} />
      <button type="submit" value="deposits">
        Deposit
      </button>
      <button type="submit" value="withdrawals">
        Withdraw
      </button>
    </Form>
  )
}

/**
 * Panel of the readings: how this world reads each open point of the specification. Readings that differ from
 * the default come first.
 */
export function ReadingsPanel() {
  const { session, world, live } = useShown()
  const [known, setKnown] = useState<readonly ReadingRow[]>([])
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
        setKnown(rows.sort((left, right) => Number(isDefault(left)) - Number(isDefault(right))))
      })
  }, [session, world, live?.sequence])
  const columns: readonly Column<ReadingRow>[] = [
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
    { name: 'Usually', cell: (row) => (isDefault(row) ? '' : row.default) },
  ]
  return <Table label="Readings" columns={columns} rows={known} keyOf={({ key }) => key} />
}

type ReadingRow = ReadingList['readings'][number] & { readonly value: string }

const isDefault = (row: ReadingRow): boolean => row.value === row.default
