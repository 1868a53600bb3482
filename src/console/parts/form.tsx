import type { ComponentChildren, ComponentProps } from 'preact'

interface FormProps {
  /** Called with the values of the fields that are not empty, by name; `pressed` is the value of the button. */
  readonly send: (values: FormValues, form: HTMLFormElement, pressed: string) => void
  readonly class?: string
  readonly children: ComponentChildren
}

export type FormValues = Readonly<Record<string, string>>

/** Form whose fields are read when it is submitted. */
export function Form({ send, class: look = 'form', children }: FormProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const { currentTarget: form, submitter } = event
    if (!(form instanceof HTMLFormElement)) return
    const written = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()] as const)
    const pressed = submitter instanceof HTMLButtonElement ? submitter.value : ''
    send(Object.fromEntries(written.filter(([, value]) => value !== '')), form, pressed)
  }
  return (
    <form class={look} onSubmit={submit}>
      {children}
    </form>
  )
}

/** Button that acts at once; a button that submits a form is a plain `button`. */
export const Button = (props: ComponentProps<'button'>) => <button type="button" {...props} />

export const Field = ({ label, ...input }: ComponentProps<'input'> & { readonly label: string }) => (
  <label>
    {label}
    <input {...input} />
  </label>
)

type SelectFieldProps = ComponentProps<'select'> & { readonly label: string; readonly options: Options }

type Options<Value extends string = string> = readonly (readonly [value: Value, text: string])[]

export const SelectField = ({ label, options, ...select }: SelectFieldProps) => (
  <label>
    {label}{' '}
    <select {...select}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: Options<Value>
  readonly choose: (value: Value) => void
  readonly disabled?: boolean
  readonly 'aria-label'?: string
}

/** Select field whose choice acts at once. */
export const Choice = <Value extends string>({ label, options, choose, ...select }: ChoiceProps<Value>) => (
  <SelectField
    label={label}
    options={options}
    onChange={({ currentTarget }) => {
      const chosen = options[currentTarget.selectedIndex]
      if (chosen !== undefined) choose(chosen[0])
    }}
    {...select}
  />
)
