import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-6'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** One file of the shipped code, parsed. */
export interface Source {
  /** Below the folder that was read, with forward slashes. */
  readonly path: string
  readonly tree: ts.SourceFile
}

export interface Import {
  readonly specifier: string
  /** Nothing of it is left at run time. */
  readonly isType: boolean
  /** The names that are values, `*` for a whole module. */
  readonly values: readonly string[]
}

export const parse = (path: string, text: string): Source => ({
  path,
  tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
})

/** Every TypeScript file below a folder of the repository, without tests and what serves only them. */
export function readSources(folder: string): readonly Source[] {
  const at = join(ROOT, folder)
  return readdirSync(at, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.ts$/.test(path) && !/\.test(?:-d)?\.ts$|^testing\//.test(path))
    .sort()
    .map((path) => parse(path, readFileSync(join(at, path), 'utf8')))
}

/** The folders of `packages` or `apps` that are packages. */
export const packagesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`)

export interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, unknown>>
  readonly publishConfig?: { readonly exports?: unknown }
}

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest

/** Calls `visit` with every node. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  node.forEachChild((child) => walk(child, visit))
}

function valuesOf(node: ts.ImportDeclaration | ts.ExportDeclaration): readonly string[] {
  if (ts.isExportDeclaration(node)) {
    if (node.isTypeOnly) return []
    if (node.exportClause === undefined || ts.isNamespaceExport(node.exportClause)) return ['*']
    return node.exportClause.elements
      .filter(({ isTypeOnly }) => !isTypeOnly)
      .map(({ name, propertyName }) => (propertyName ?? name).text)
  }
  const clause = node.importClause
  // for its side effects alone
  if (clause === undefined) return ['*']
  if (clause.isTypeOnly) return []
  const bindings = clause.namedBindings
  const named =
    bindings === undefined
      ? []
      : ts.isNamespaceImport(bindings)
        ? ['*']
        : bindings.elements
            .filter(({ isTypeOnly }) => !isTypeOnly)
            .map(({ name, propertyName }) => (propertyName ?? name).text)
  return clause.name === undefined ? named : ['default', ...named]
}

/** Everything that a file imports, however it is written. */
export function importsOf({ tree }: Source): readonly Import[] {
  const found: Import[] = []
  const add = (specifier: ts.Node | undefined, values: readonly string[]): void => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return
    found.push({ specifier: specifier.text, isType: values.length === 0, values })
  }
  walk(tree, (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
      add(node.moduleSpecifier, valuesOf(node))
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, [])
    if (ts.isCallExpression(node)) {
      const { expression } = node
      const isImport = expression.kind === ts.SyntaxKind.ImportKeyword
      const isRequire = ts.isIdentifier(expression) && expression.text === 'require'
      if (isImport || isRequire) add(node.arguments[0], ['*'])
    }
  })
  return found
}

/** Where a relative import leads, as a path like those of the sources. */
export const resolveImport = (from: string, specifier: string): string =>
  relative('/', join('/', dirname(from), specifier)).replaceAll('\\', '/')

/** What an entry file exports by name, and whether it is there at run time. */
export function exportsOf({ path, tree }: Source): ReadonlyMap<string, 'value' | 'type'> {
  const found = new Map<string, 'value' | 'type'>()
  for (const statement of tree.statements) {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause, isTypeOnly } = statement
      if (exportClause === undefined) throw new Error(`${basename(path)}: name what is exported, without *`)
      if (ts.isNamespaceExport(exportClause)) found.set(exportClause.name.text, isTypeOnly ? 'type' : 'value')
      else
        for (const element of exportClause.elements)
          found.set(element.name.text, isTypeOnly || element.isTypeOnly ? 'type' : 'value')
    } else if (ts.isExportAssignment(statement)) {
      found.set('default', 'value')
    } else if (
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    ) {
      throw new Error(`${basename(path)}: an entry only re-exports`)
    }
  }
  return found
}
