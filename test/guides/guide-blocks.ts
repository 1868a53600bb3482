import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { guides } from '../../src/cli/guides.ts'
import { repository } from '../cli/harness.ts'

/** All texts with commands for users. */
export const guideFiles: readonly string[] = [
  'README.md',
  'test/README.md',
  ...new Set(guides.map(({ file }) => file)),
]

/** The blocks of a language in all guides, or in one. */
export const blocks = (language: string, from: readonly string[] = guideFiles): readonly string[] =>
  from.flatMap((file) =>
    [
      ...readFileSync(join(repository, file), 'utf8').matchAll(
        new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'),
      ),
    ].map((match) => match[1] ?? ''),
  )

/** Whether a block is a script of a shell. All other blocks are commands, one a line. */
export const isScript = (block: string): boolean => block.startsWith('T=$(date')

/** The commands of a guide, one a line. */
export const commandsOf = (file: string): readonly string[] =>
  blocks('sh', [file])
    .filter((block) => !isScript(block))
    .flatMap((block) => block.trim().split('\n'))

/** Splits a command into words like a shell, with single quotes only, as the guides use them. */
export const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '')

/** What commands say beside their results: files, progress, how recordings were understood, what was looked at. */
export const withoutRemarks = (err: string): string =>
  err.replace(/^(?:wrote .*|\S+: read as .*|.* s left(?: .*)?|\d+ of \d+ {2}.*|looked at: .*)\n/gm, '')
