// Type-checks the files that are its arguments, and the declarations of the packed packages that they reach, with the
// strictest options; prints the errors. Declarations of others are read and not checked: several do not fit each other
// (@types/koa and content-disposition, mysql2 3.0), and they cost more than all the rest.
import { createRequire } from 'node:module'

// as import, Node reads all of it in search of its names
const ts = createRequire(import.meta.url)('typescript-6')

const files = process.argv.slice(2)
const program = ts.createProgram(files, {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  esModuleInterop: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  types: ['node'],
})
const isOurs = ({ fileName }) => files.includes(fileName) || fileName.includes('/node_modules/@baldur/')
const errors = program
  .getSourceFiles()
  .filter(isOurs)
  .flatMap((file) => ts.getPreEmitDiagnostics(program, file))
const host = {
  getCurrentDirectory: () => process.cwd(),
  getCanonicalFileName: (name) => name,
  getNewLine: () => '\n',
}
process.stdout.write(ts.formatDiagnostics(ts.sortAndDeduplicateDiagnostics(errors), host))
