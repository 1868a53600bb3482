/** A longer text is not looked through for a hint. */
const longest = 65_536

interface Mistake {
  readonly pattern: RegExp
  readonly hint: (found: string) => string
}

/** What is usually wrong with a text that is no JSON, in words for the caller; null when nothing is recognised. */
export function jsonMistake(text: string): string | null {
  if (text.length > longest) return null
  if (/^\w+=[^{[]*$/.test(text)) return 'this is a form; send JSON'
  // The contents of strings are no mistakes, nor are those of one without an end, which is looked for only once.
  const bare = text.replace(/"(?:[^"\\]|\\.?)*(?:"|$)/gs, '""')
  for (const { pattern, hint } of mistakes) {
    const found = pattern.exec(bare)?.[0]
    if (found !== undefined) return hint(found)
  }
  const opened = bare.match(/[{[]/g)?.length ?? 0
  const closed = bare.match(/[}\]]/g)?.length ?? 0
  return opened > closed ? 'it ends before it is closed' : null
}

const mistakes: readonly Mistake[] = [
  { pattern: /'/, hint: () => 'JSON has double quotes only' },
  { pattern: /\/[/*]/, hint: () => 'JSON has no comments' },
  {
    pattern: /-?\b(?:NaN|Infinity|None|True|False|undefined)\b/,
    hint: (found) => `JSON has no ${found}`,
  },
  { pattern: /,\s*[}\]]/, hint: () => 'there is a comma before a closing bracket' },
  { pattern: /[{,]\s*[A-Za-z_$][\w$]*\s*:/, hint: () => 'keys need double quotes' },
  {
    pattern: /[-:[,\s](?:\.\d|0\d|\+)|\d\.(?!\d)|\d_\d|\b0x/,
    hint: () => 'a number is not written as in JSON',
  },
]
