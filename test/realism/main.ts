import process from 'node:process'
import { linkSection } from './flow-link.ts'
import { edgeSection, flowSection } from './flow-sections.ts'
import { judgeSection } from './judge-section.ts'
import { measureDefault } from './measure.ts'
import { measureReal } from './real-data.ts'
import { recipeSection } from './recipe-section.ts'
import { modelSection, pairSection, singleSection } from './sections.ts'
import type { Section } from './table.ts'
import { printSection } from './table.ts'

/*
 * `npm run realism`: the whole table; exit code 1 when a figure is out of its band. TEST_RECORDINGS names a folder of
 * recorded markets, which are measured, too, and of features of recorded windows, without which nothing is judged.
 */

const seeds = ['1', '2', '3', '4', '5', '6', '7', '8']
const folder = process.env['TEST_RECORDINGS']
const real = folder === undefined ? null : measureReal(folder)
const market = measureDefault(seeds)

const sections: readonly (() => Section)[] = [
  () => singleSection(market, real),
  () => pairSection(market, real),
  () => flowSection(seeds.slice(0, 4), folder),
  () => linkSection(seeds.slice(0, 4)),
  () => edgeSection(),
  () => modelSection(seeds.slice(0, 3)),
  () => recipeSection(['101', '102', '103', '104'], 4),
  ...(folder === undefined ? [] : [() => judgeSection(folder)]),
]

let out = 0
for (const section of sections) {
  const { title, columns, rows } = section()
  process.stdout.write(`${printSection({ title, columns, rows })}\n`)
  out += rows.filter(({ isOk }) => !isOk).length
}
if (folder === undefined)
  process.stdout.write('nothing was judged: TEST_RECORDINGS names no folder of recorded windows\n')
process.stdout.write(out === 0 ? 'every figure is where it should be\n' : `${out} figures are out\n`)
process.exitCode = out === 0 ? 0 : 1
