/**
 * What a value of an answer must be: one of the words below (with `?` it may be null), a list of at least one item that
 * all have one shape, a list of exactly these items, an object of exactly these fields, or of any fields (`*`).
 */
export type Shape = Word | `${Word}?` | readonly Shape[] | { readonly [field: string]: Shape }

type Word = 'text' | 'number' | 'whole' | 'truth' | 'time' | 'object' | 'list'

/** Every place at which a value is not as its shape says. */
export function misfits(shape: Shape, value: unknown, place = ''): readonly string[] {
  if (typeof shape === 'string') return isOf(shape, value) ? [] : [`${place} is no ${shape}`]
  if (isList(shape)) return misfitsOfList(shape, value, place)
  if (!isObject(value)) return [`${place} is no object`]
  const any = shape['*']
  const names = new Set(
    any === undefined ? [...Object.keys(shape), ...Object.keys(value)] : Object.keys(value),
  )
  if (names.size === 0) return [`${place} is empty`]
  return [...names].flatMap((name) => {
    const field = any ?? shape[name]
    if (field === undefined) return [`${place}.${name} is in no table`]
    return name in value ? misfits(field, value[name], `${place}.${name}`) : [`${place}.${name} is missing`]
  })
}

function misfitsOfList(shapes: readonly Shape[], value: unknown, place: string): readonly string[] {
  if (!Array.isArray(value)) return [`${place} is no list`]
  const isExact = shapes.length > 1
  if (isExact ? value.length !== shapes.length : value.length === 0)
    return [`${place} has ${value.length} items`]
  return value.flatMap((item, index) =>
    misfits(shapes[isExact ? index : 0] ?? 'object', item, `${place}[${index}]`),
  )
}

function isOf(word: Word | `${Word}?`, value: unknown): boolean {
  if (word.endsWith('?') && value === null) return true
  const is: { readonly [name: string]: boolean } = {
    text: typeof value === 'string' && value !== '',
    number: Number.isFinite(value),
    whole: Number.isSafeInteger(value),
    truth: typeof value === 'boolean',
    time: typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
    object: isObject(value),
    list: Array.isArray(value),
  }
  return is[word.replace('?', '')] === true
}

const isList = (shape: Shape): shape is readonly Shape[] => Array.isArray(shape)

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
