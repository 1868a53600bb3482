import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { longestFile, longFiles, slowFiles } from './support/full-run.ts'

/**
 * Starts the files that take longest first, so that a whole run doesn't end with one of them alone. The runner's own
 * order goes by the sizes of files where it has not seen them run, as in a fresh clone.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const path = relative(project.config.root, moduleId).replaceAll('\\', '/')
      return path === longestFile ? 0 : slowFiles.includes(path) ? 1 : longFiles.includes(path) ? 2 : 3
    }
    return sorted.toSorted((one, other) => rank(one) - rank(other))
  }
}
