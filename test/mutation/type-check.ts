import { join } from 'node:path'
import ts from 'typescript'
import { filesBelow, repositoryRoot } from './killing-tests.ts'

/** Checks the types of a file with a changed text. */
export class TypeCheck {
  private readonly service: ts.LanguageService
  private changed: { readonly file: string; readonly text: string } | null = null
  private version = 0

  constructor(rooms: readonly string[]) {
    const files = rooms.flatMap(filesBelow).map((path) => join(repositoryRoot, path))
    const declared = join(repositoryRoot, 'src/numeric/alea.d.ts')
    const { options } = ts.parseJsonConfigFileContent(
      ts.readConfigFile(join(repositoryRoot, 'tsconfig.json'), ts.sys.readFile).config,
      ts.sys,
      repositoryRoot,
    )
    const host: ts.LanguageServiceHost = {
      getCompilationSettings: () => ({
        ...options,
        noUnusedLocals: false,
        noUnusedParameters: false,
        allowUnreachableCode: true,
        types: [],
      }),
      getScriptFileNames: () => [...files, declared],
      getScriptVersion: (file) => (file === this.changed?.file ? `changed ${this.version}` : 'as it is'),
      getScriptSnapshot: (file) => {
        const text = file === this.changed?.file ? this.changed.text : ts.sys.readFile(file)
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
      },
      getCurrentDirectory: () => repositoryRoot,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      readDirectory: ts.sys.readDirectory,
    }
    this.service = ts.createLanguageService(host)
  }

  /** Whether the file compiles with this text. */
  fits(path: string, text: string): boolean {
    const file = join(repositoryRoot, path)
    this.changed = { file, text }
    this.version += 1
    return (
      this.service.getSyntacticDiagnostics(file).length === 0 &&
      this.service
        .getSemanticDiagnostics(file)
        .every(({ category }) => category !== ts.DiagnosticCategory.Error)
    )
  }
}
