import { expect, it } from 'vitest'
import { indentJson } from '../../src/api/json.ts'

it.each([
  ['{"a":[1]}', '{\n  "a": [\n    1\n  ]\n}'],
  ['{"a":', '{"a":'],
  ['', ''],
])('lays out JSON, and leaves other texts as they are: %j', (text, expected) => {
  expect(indentJson(text)).toBe(expected)
})
