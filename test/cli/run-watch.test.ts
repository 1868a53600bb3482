import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runProgram } from '../../src/cli/main.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const scenario = (name: string, price: number) => `version: 1
name: ${name}
clock: {end: 1s}
market: {flow: {kind: none}, assets: {BTC: {price: ${price}, model: {kind: constant}}}}
expect: [{at: end, that: price.BTC.mark == 50000}]
`

/** Starts watching two scenarios that pass, and waits until both have run. */
async function startWatching(cwd: string) {
  writeFileSync(join(cwd, 'a.yaml'), scenario('first', 50_000))
  writeFileSync(join(cwd, 'b.yaml'), scenario('second', 50_000))
  let said = ''
  let stop = () => {}
  const waiting: { readonly text: string; readonly settle: () => void }[] = []
  const say = (text: string): void => {
    said += text
    for (const { text: awaited, settle } of waiting.filter((it) => said.includes(it.text))) {
      waiting.splice(
        waiting.findIndex((it) => it.text === awaited),
        1,
      )
      settle()
    }
  }
  /** Clears earlier output. */
  const hears = (text: string) =>
    new Promise<void>((settle) => {
      said = ''
      waiting.push({ text, settle })
    })
  const started = hears('watching 2 scenarios for changes')
  const running = runProgram(['run', 'a.yaml', 'b.yaml', '--watch'], {
    out: say,
    err: say,
    env: {},
    cwd,
    isOutTty: false,
    isErrTty: false,
    listenToKeys: () => null,
    outTaken: async () => {},
    readInput: () => '',
    onInputEnd: () => () => {},
    onStop: (listener) => {
      stop = listener
      return () => {}
    },
  })
  await started
  return { hears, running, said: () => said, stop: () => stop() }
}

it('reruns changed files, even with mistakes, until it is stopped', async () => {
  const cwd = temporaryFolder()
  const { hears, running, said, stop } = await startWatching(cwd)
  expect(said()).toContain('✓ first')
  expect(said()).toContain('✓ second')
  const failed = hears('1 of 1 scenarios failed')
  writeFileSync(join(cwd, 'b.yaml'), scenario('second', 1))
  await failed
  expect(said()).not.toContain('first')
  const refused = hears('unknown key "pirce"')
  writeFileSync(join(cwd, 'b.yaml'), scenario('second', 1).replace('price:', 'pirce:'))
  await refused
  const again = hears('✓ second')
  writeFileSync(join(cwd, 'b.yaml'), scenario('second', 50_000))
  await again
  const watching = hears('watching 2 scenarios')
  writeFileSync(join(cwd, 'a.yaml'), scenario('first', 50_000))
  await watching
  stop()
  expect(await running).toBe(0)
})

it.each([
  ['has failed', (text: string) => text.replace('== 50000', '== 1'), '1 of 1 scenarios failed'],
  ['could not be read', (text: string) => text.replace('price:', 'pirce:'), 'unknown key "pirce"'],
])('fails when it is stopped and the last run of a file %s', async (_what, edit, awaited) => {
  const cwd = temporaryFolder()
  const { hears, running, said, stop } = await startWatching(cwd)
  const failed = hears(awaited)
  writeFileSync(join(cwd, 'b.yaml'), edit(scenario('second', 50_000)))
  await failed
  const watching = hears('watching 2 scenarios')
  writeFileSync(join(cwd, 'a.yaml'), scenario('first', 50_000))
  await watching
  stop()
  expect(await running).toBe(1)
  expect(said()).toContain('stopped, and not all is well: the last run of b.yaml failed, or was not judged')
})
