import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { built, project } from './built-command.ts'
import { otcsim } from './harness.ts'

/* Walks forward with the built command, whose threads load a bundle instead of hundreds of sources. */

const walk = ['holder.mjs', '--scenario', 'walk.yaml', '--seeds', '1..2', '--set', 'size=0.5,1']
const folds = ['--walk-forward', '2h/1h', '--equity-grid', '10m']

it('chooses in training and judges in the test, to the same bytes however it was run', async () => {
  const cwd = project()
  const outputs = ['--ndjson', 'two.ndjson', '--html', 'two.html', '--parquet', 'two.parquet', '--json']
  const [one, two, planned] = await Promise.all([
    built(['sweep', ...walk, ...folds, '--jobs', '1', '--ndjson', 'one.ndjson', '--store', 'one'], cwd),
    built(['sweep', ...walk, ...folds, '--jobs', '2', ...outputs], cwd),
    otcsim(['sweep', 'plan', ...walk, ...folds, '-o', 'plan.json'], { cwd }),
  ])
  expect([one.code, two.code, planned.code]).toEqual([0, 0, 0])
  const bytes = (name: string): string => readFileSync(join(cwd, name), 'utf8')
  expect(bytes('two.ndjson')).toBe(bytes('one.ndjson'))
  await Promise.all(
    ['1/2', '2/2'].map((part) =>
      built(
        ['sweep', 'run', 'plan.json', '--shard', part, '--store', `shard-${part[0]}`, '--jobs', '1'],
        cwd,
      ),
    ),
  )
  await otcsim(['sweep', 'merge', 'shard-1', 'shard-2', '--ndjson', 'merged.ndjson'], { cwd })
  expect(bytes('merged.ndjson')).toBe(bytes('one.ndjson'))

  const { walkForward, ...summary } = JSON.parse(two.out)
  // Four folds, whose trainings and tests are all different spans.
  expect(summary).toMatchObject({ ok: true, cases: 32, done: 32, failed: 0 })
  expect(walkForward.folds.map(({ test }: { test: { from: string } }) => test.from.slice(11, 16))).toEqual([
    ...['02:00', '03:00', '04:00', '05:00'],
  ])
  expect(walkForward).toMatchObject({ isPerDay: true, complete: 4, failed: 0 })
  const sentence =
    /^returns\.profit a day of the cells that training chose, on average over 4 folds: .* in sample, .* out of sample, \d+\.\d % (?:worse|better)\./m
  expect(one.out).toMatch(sentence)
  expect(one.out).toMatch(/\ntraining +test from +to +chosen +in sample +out of it +rank +best there\n/)
  expect(one.out).not.toContain('−')
  // Windows of one day are told apart by their minutes.
  for (const hour of [2, 3, 4, 5])
    expect(one.out).toMatch(
      new RegExp(`^2026-01-05.* 2026-01-05 0${hour}:00 +2026-01-05 0${hour + 1}:00 `, 'm'),
    )
  expect(one.out).toContain(' from 2026-01-05 02:00 to 2026-01-05 06:00, and buying and holding')
  const page = bytes('two.html')
  expect(page).toContain('<h2 id="folds-heading">Folds</h2>')
  expect(page).toMatch(/<p class="verdict">returns\.profit a day of the cells that training chose/)

  // The command that it shows gives the same digest.
  const [worst] = walkForward.worst
  const alone = await otcsim([...worst.replay.split(' ').slice(2), '--json'], { cwd })
  expect(JSON.parse(alone.out)).toMatchObject({ digest: worst.digest, seed: worst.seed })
})

it.each([
  [['--walk-forward', '4h'], '--walk-forward: expected the spans of training and test, such as 180d/30d'],
  [['--walk-forward', '4h/4h'], '--walk-forward: training and test take 8h, and there are 6h'],
  [
    ['--walk-forward', '4h/1h', '--from', '2h'],
    '--walk-forward: training and test take 5h, and there are 4h',
  ],
  [['--walk-forward', '4h/1h', '--from', 'x'], '--from: expected a time such as'],
])('refuses %j', async (words, message) => {
  const refused = await otcsim(['sweep', 'plan', ...walk, ...words], { cwd: project() })
  expect(refused).toMatchObject({ code: 2, out: '' })
  expect(refused.err).toContain(message)
})

it('needs an end of the market', async () => {
  const words = ['sweep', 'plan', 'holder.mjs', '--model', 'gbm', '--walk-forward', '4h/1h']
  expect((await otcsim(words, { cwd: project() })).err).toContain('--to: the scenario has no end')
})
