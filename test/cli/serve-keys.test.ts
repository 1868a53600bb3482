import { describe, expect, it } from 'vitest'
import { programPath } from '../support/program-path.ts'
import { program } from './built-command.ts'
import { press } from './press-keys.ts'

const serve = [process.execPath, program, 'serve', '--port', '0', '--seed', '7']

describe('keys of serve', { tags: ['python3', 'sh'] }, () => {
  it('act on the served world, one after the other', async () => {
    const said = await press(
      [
        ['q end', 'p'],
        ['paused at ', '+'],
        ['a minute on, at ', 'x+'],
        ['a minute on, at ', 'f'],
        ['faults on: http_error; every fifth request is answered with 503', 'f'],
        ['faults off: http_error', 'f'],
        ['faults on: http_error', 'p'],
        ['goes on at ', 'o'],
        ['/__admin/console/', 'q'],
      ],
      serve,
    )
    expect(said).toContain('Keys  o console   p pause and go on   + a minute   f faults on and off   q end')
    const instants = [...said.matchAll(/(?:paused|a minute on,|goes on) at (\S+Z)/g)].map(([, at = '']) =>
      Date.parse(at),
    )
    const [paused = 0, ...later] = instants
    expect(later).toEqual([paused + 60_000, paused + 120_000, paused + 120_000])
    expect(said).toMatch(/clock realtime/)
    expect(said).toMatch(/exit code 0\n$/)
  })

  it('end it by Ctrl-C, too', async () => {
    expect(await press([['q end', '\u0003']], serve)).toMatch(/exit code 0\n$/)
  })

  it('are left to the shell by a server in the background', async () => {
    const line = `set -m; ${serve.join(' ')} & read key; kill %1; wait %1`
    const said = await press([['Ctrl-C ends it', '\n']], [programPath('sh'), '-c', line])
    expect(said).not.toContain('q end')
  })
})
