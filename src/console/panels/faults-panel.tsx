import { useState } from 'preact/hooks'
import type { Fault } from '../model/documents.ts'
import { faultForms } from '../model/fault-forms.ts'
import { Button, Field, Form, type FormValues, SelectField } from '../parts/form.tsx'
import { Empty } from '../parts/panel.tsx'
import { useShown } from '../parts/use-console.ts'

export function FaultsPanel() {
  const { session, view, moment, account, asset, isRecording } = useShown()
  const { faults } = view
  const mayChange = moment === null && !isRecording
  return (
    <div class="faults">
      {faults.length === 0 ? (
        <Empty>
          No faults yet.{mayChange ? ' Add a rule, and it strikes the requests that match it.' : ''}
        </Empty>
      ) : (
        <ul class="rules">
          {faults.map((fault) => (
            <li key={fault.id}>
              <span>
                <strong>{fault.type}</strong> <span class="muted">{formatRule(fault)}</span>
              </span>
              <span>
                struck {fault.fired} of {fault.matched}
              </span>
              {mayChange ? (
                <Button
                  class="quiet"
                  aria-label={`Delete ${fault.id}`}
                  onClick={() => session.act('DELETE', `/faults/${encodeURIComponent(fault.id)}`)}
                >
                  Delete
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {mayChange ? (
        <>
          <p class="row">
            {presets.map(([name, body]) => (
              <Button key={name} onClick={() => session.act('POST', '/faults', body, `${name}: from now on`)}>
                {name}
              </Button>
            ))}
          </p>
          <FaultForm key={`${account} ${asset}`} />
        </>
      ) : null}
    </div>
  )
}

const orders = { method: 'POST', path: '/api/sdk/orders' }
const presets = [
  ['Slow answers', { type: 'latency', attributes: { latencyMs: 500 } }],
  ['Next order 503', { type: 'http_error', match: orders, count: 1, attributes: { status: 503 } }],
  ['Next order’s answer lost', { type: 'reset_peer', match: orders, phase: 'after', count: 1 }],
  ['Rate limited', { type: 'rate_limit', attributes: { retryAfter: 1 } }],
  ['Old prices', { type: 'stale_market_data', attributes: { delayMs: 5000 } }],
] as const

/**
 * Formats the name of a field or type in words: `averageSize` as `average size`, `latencyMs` as `latency, ms`.
 */
const formatName = (name: string): string =>
  name
    .replace(/(Ms|Kbps)$/, (unit) => `, ${unit.toLowerCase()}`)
    .replace(/_/g, ' ')
    .replace(/[A-Z]+/g, (letters) => ` ${letters.toLowerCase()}`)
    .trim()

function formatRule({ match, phase, count, toxicity, attributes }: Fault): string {
  const formatValues = (values: object) =>
    Object.entries(values).map(([name, value]) => `${formatName(name)} ${value}`)
  const often = count === null ? [] : [count === 1 ? 'once' : `${count} times`]
  const rarely = toxicity < 1 ? [`${toxicity * 100} % of them`] : []
  const words = [...formatValues(match), ...formatValues(attributes), ...often, ...rarely]
  return [phase === 'after' ? 'after the operation' : '', ...words].filter((word) => word !== '').join(', ')
}

function FaultForm() {
  const { session } = useShown()
  const [type, setType] = useState('http_error')
  const fields = faultForms.find((form) => form.type === type)
  const hasChoice = (fields?.phases.length ?? 0) > 1
  const add = async ({ method, path, account, count, phase, ...rest }: FormValues, form: HTMLFormElement) => {
    const attributes = Object.fromEntries(Object.entries(rest).map(parseAttribute))
    const times = count === undefined ? undefined : Number(count)
    const body = { type, match: { method, path, account }, phase, attributes, count: times }
    if (await session.act('POST', '/faults', body, `${type}: from now on`)) form.reset()
  }
  return (
    <Form send={add}>
      <SelectField
        label="Fault"
        value={type}
        options={faultForms.map((form) => [form.type, formatName(form.type)])}
        onChange={(event) => setType(event.currentTarget.value)}
      />
      <SelectField label="Method" name="method" options={methods} />
      <Field label="Path" name="path" placeholder="/api/sdk/orders*" />
      <Field label="Account" name="account" placeholder="any" />
      <Field label="How often" name="count" inputMode="numeric" placeholder="always" size={6} />
      {hasChoice ? <SelectField label="When" name="phase" options={phases} /> : null}
      {(fields?.takes ?? []).map((name) => (
        <Field
          key={name}
          {...{ label: formatName(name), name, size: 8 }}
          required={fields?.needs.includes(name) ?? false}
        />
      ))}
      <button type="submit">Add fault</button>
    </Form>
  )
}

const methods = ['', 'GET', 'POST', 'PATCH', 'DELETE'].map((name) => [name, name || 'any'] as const)
const phases = [
  ['before', 'before it is done'],
  ['after', 'after it is done'],
] as const

/** Converts the text of a number to a number, and leaves other text. */
const parseAttribute = ([name, value]: readonly [string, string]): [string, string | number] => [
  name,
  /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value,
]
