/** What a file is, by how it begins, that is no table; null where that cannot be told. */
export function fileKind(beginning: string): string | null {
  const text = beginning.replace(/^\ufeff/, '').trimStart()
  return kinds.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}

export const journalKind = 'a journal of otcsim'

const kinds: readonly (readonly [name: string, pattern: RegExp])[] = [
  // Also one whose first line is lost or forged: every line ends in its hash.
  [journalKind, /^\{[^\n]*("otcsim-journal"|,"hash":"[0-9a-f]{32}"\}\r?$)/m],
  ['a result of otcsim backtest', /^\{[^\n]{0,200}"otcsim-backtest"/],
  ['JSON', /^[{[]/],
  ['HTML', /^<(!doctype html|html)\b/i],
  ['XML', /^<\?xml\b/],
  ['a scenario', /^version: *\d/m],
  ['Markdown', /^#{1,6} \S[^\n]*\r?\n\r?\n/],
]
