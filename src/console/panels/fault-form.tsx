import { useState } from 'preact/hooks'
import { faultForms } from '../model/fault-forms.ts'
import { formatName } from '../model/format.ts'
import { toNumber } from '../model/ticket.ts'
import { Field, Form, type FormValues, SelectField } from '../parts/form.tsx'
import { useShown } from '../parts/use-console.ts'

/** Form that adds a fault of any type. */
export function FaultForm() {
  const { session } = useShown()
  const [type, setType] = useState('http_error')
  const fields = faultForms.find((form) => form.type === type)
  const hasChoice = (fields?.phases.length ?? 0) > 1
  const add = async ({ method, path, account, count, phase, ...rest }: FormValues, form: HTMLFormElement) => {
    const attributes = Object.fromEntries(Object.entries(rest).map(parseAttribute))
    const times = toNumber(count)
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
