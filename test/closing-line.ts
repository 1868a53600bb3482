import type { Reporter, TestModule } from 'vitest/node'
import { isMissing, lackOf, programNames } from './support/wanted-programs.ts'

/**
 * Ends the output with a line about files that were left out because they take long, a line for each program for want of
 * which tests were left out, and one plain line, `123 passed, 0 failed`, for programs that read it. A file that could not
 * be loaded counts as one failure; under CI a skipped test is named and fails the run.
 */
export class ClosingLine implements Reporter {
  private readonly leftOutFiles: number

  constructor(leftOutFiles: number) {
    this.leftOutFiles = leftOutFiles
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    const tagsOfSkipped: string[] = []
    const skipped: string[] = []
    for (const module of modules) {
      if (module.errors().length > 0) count.failed += 1
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        count[state === 'pending' ? 'skipped' : state] += 1
        if (state !== 'skipped') continue
        tagsOfSkipped.push(...test.tags)
        skipped.push(`${module.relativeModuleId}: ${test.fullName}`)
      }
    }
    if (this.leftOutFiles > 0)
      process.stdout.write(`files left out: ${this.leftOutFiles}, because they take long; FULL=1 runs them\n`)
    for (const name of programNames) {
      const tests = tagsOfSkipped.filter((tag) => tag === name).length
      if (tests > 0 && isMissing(name))
        process.stdout.write(`tests left out: ${tests}, because ${lackOf(name)}\n`)
    }
    if (count.skipped > 0) {
      process.stdout.write(`${count.skipped} skipped\n`)
      if (process.env['CI'] !== undefined) {
        for (const name of skipped) process.stdout.write(`skipped, which fails under CI: ${name}\n`)
        process.exitCode = 1
      }
    }
    process.stdout.write(`${count.passed} passed, ${count.failed} failed\n`)
  }
}
