type Given<Options> = { [name in keyof Options]?: Exclude<Options[name], undefined> }

/** The options that are given: without those that are undefined. */
export function onlyGiven<Options extends object>(options: Options): Given<Options> {
  const kept: Given<Options> = {}
  for (const name of Object.keys(options)) {
    if (!isNameOf(options, name)) continue
    const value = options[name]
    if (isGiven(value)) kept[name] = value
  }
  return kept
}

const isNameOf = <Options extends object>(options: Options, name: string): name is keyof Options & string =>
  Object.hasOwn(options, name)

const isGiven = <Value>(value: Value): value is Exclude<Value, undefined> => value !== undefined
