interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly (readonly [value: Value, text: string])[]
  readonly choose: (value: Value) => void
  readonly disabled?: boolean
}

/** One of several words. */
export const Choice = <Value extends string>({
  label,
  value,
  options,
  choose,
  disabled,
}: ChoiceProps<Value>) => (
  <label>
    {label}{' '}
    <select
      value={value}
      disabled={disabled ?? false}
      onChange={({ currentTarget }) => {
        const chosen = options[currentTarget.selectedIndex]
        if (chosen !== undefined) choose(chosen[0])
      }}
    >
      {options.map(([word, text]) => (
        <option key={word} value={word}>
          {text}
        </option>
      ))}
    </select>
  </label>
)
