import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { importsOfTests, isTwin, killersFirst, type TestRecord, textOf } from './killing-tests.ts'
import { type Mutant, mutated } from './mutants.ts'
import { type Ended, Session } from './session.ts'

/** The result of a mutant. A timeout counts as killed, because a program that does not end would be noticed. */
export interface Verdict {
  readonly mutant: Mutant
  readonly outcome: 'killed' | 'late' | 'survived'
  /** The test file that killed it. */
  readonly test: string | null
  /** How many test files were run, and how many import the file. */
  readonly asked: number
  readonly importing: number
}

export interface RunOptions {
  /** File that records how long tests take and what they have killed. */
  readonly recordsFile: string
  /** Milliseconds of tests per mutant at most, the likely killers first. */
  readonly maximumMillis: number
  readonly patienceMillis: number
}

/** Judges one mutant after the other by the tests that import its file. */
export class MutationRun {
  private readonly options: RunOptions
  private readonly session = new Session()
  private readonly imports = importsOfTests()
  private readonly records: Map<string, TestRecord>
  /** Tests that pass without a mutant, so that their failure is meaningful. */
  private readonly proven = new Set<string>()

  constructor(options: RunOptions) {
    this.options = options
    this.records = new Map(readRecords(options.recordsFile))
  }

  /** Tests that import a file. */
  testsOf(path: string): readonly string[] {
    return [...this.imports].filter(([, imported]) => imported.has(path)).map(([test]) => test)
  }

  /** Runs the tests of these files on unchanged sources, unless that was done. Answers the one that fails, or null. */
  async begin(paths: ReadonlySet<string>): Promise<string | null> {
    const chosen = new Set([...paths].flatMap((path) => this.affordable(this.testsOf(path), path)))
    const tests = [...chosen].filter((test) => this.digestOf(test) !== this.records.get(test)?.provenBy)
    console.log(`${chosen.size} test files; ${tests.length} of them must pass without a mutant first`)
    const ended = await this.session.run({ path: null, text: '', tests }, () => 300_000)
    for (const [test, millis] of ended.millisOf) {
      const record = this.recordOf(test)
      record.millis = millis
      record.provenBy = this.digestOf(test)
    }
    if (ended.kind !== 'passed') return ended.test ?? 'a test'
    for (const test of chosen) this.proven.add(test)
    this.save()
    return null
  }

  async judge(mutant: Mutant): Promise<Verdict> {
    const all = this.testsOf(mutant.path)
    const proven = all.filter((test) => this.proven.has(test))
    const tests = this.affordable(proven, mutant.path)
    const text = mutated(textOf(mutant.path), mutant)
    const patienceOf = (test: string) =>
      this.options.patienceMillis + 10 * (this.records.get(test)?.millis ?? 0)
    const ended: Ended =
      tests.length === 0
        ? { kind: 'passed', test: null, millisOf: new Map() }
        : await this.session.run({ path: mutant.path, text, tests }, patienceOf)
    if (ended.kind !== 'passed' && ended.test !== null) this.count(ended.test, mutant.path)
    const outcome = ended.kind === 'passed' ? 'survived' : ended.kind === 'late' ? 'late' : 'killed'
    return { mutant, outcome, test: ended.test, asked: tests.length, importing: all.length }
  }

  close(): void {
    this.session.close()
    this.save()
  }

  /** The likely killers first: as many as the time allows, and always the first and the file's own test. */
  private affordable(tests: readonly string[], path: string): readonly string[] {
    let millis = 0
    return killersFirst(tests, path, this.records).filter((test, index) => {
      const own = this.records.get(test)?.millis ?? 1000
      if (isTwin(test, path)) return true
      if (index > 0 && millis + own > this.options.maximumMillis) return false
      millis += own
      return true
    })
  }

  private recordOf(test: string): TestRecord {
    const record = this.records.get(test) ?? { millis: 0, killsOf: {}, provenBy: '' }
    this.records.set(test, record)
    return record
  }

  private count(test: string, path: string): void {
    const { killsOf } = this.recordOf(test)
    killsOf[path] = (killsOf[path] ?? 0) + 1
  }

  private save(): void {
    writeFileSync(this.options.recordsFile, JSON.stringify([...this.records]))
  }

  /** Hash of a test file and all its imports. */
  private digestOf(test: string): string {
    const hash = createHash('sha256')
    for (const file of [...(this.imports.get(test) ?? [])].sort()) hash.update(`${file}\n${textOf(file)}`)
    return hash.digest('hex')
  }
}

function readRecords(file: string): readonly (readonly [string, TestRecord])[] {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
}
