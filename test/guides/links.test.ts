import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, it } from 'vitest'
import { guides } from '../../src/cli/guides.ts'
import { anchorOf } from '../build/guides-page.ts'
import { repository } from '../cli/harness.ts'

const files = ['README.md', 'src/README.md', 'test/README.md', ...new Set(guides.map(({ file }) => file))]
const texts = new Map(files.map((file) => [file, readFileSync(join(repository, file), 'utf8')]))
const sections = new Set(
  [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => `${file}#${anchorOf(title)}`),
  ),
)

it.each(files)('every link of %s leads to a file, and to a section of it', (file) => {
  const targets = [...(texts.get(file) ?? '').matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(
    ([, target = '']) => {
      const [path = '', anchor = ''] = target.split('#')
      const whole = path === '' ? file : posix.join(posix.dirname(file), path)
      return anchor === '' ? whole : `${whole}#${anchor}`
    },
  )
  const isThere = (target: string) =>
    target.includes('#') ? sections.has(target) : existsSync(join(repository, target))
  expect(targets.filter((target) => !isThere(target))).toEqual([])
})

it('the front page leads to every guide, and is short enough to be read', () => {
  const front = texts.get('README.md') ?? ''
  for (const { topic, file } of guides) {
    expect(front, topic).toContain(`](${file})`)
    expect(front, topic).toContain(`\`${topic}\``)
  }
  expect(front.split('\n').length).toBeLessThanOrEqual(250)
})
