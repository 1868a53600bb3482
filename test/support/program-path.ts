import { TestRunner } from 'vitest'
import { findProgram, lackOf, type ProgramName } from './wanted-programs.ts'

declare module 'vitest' {
  interface TestTags {
    tags: ProgramName
  }
}

/** The path of a program that the running test has as a tag, so that the test is left out where there is none. */
export function programPath(name: ProgramName): string {
  const test = TestRunner.getCurrentTest()
  if (test !== undefined && test.tags?.includes(name) !== true)
    throw new Error(`a test that wants ${name} needs the tag '${name}'`)
  const path = findProgram(name)
  if (path === null) throw new Error(lackOf(name))
  return path
}
