import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { parseSync, Visitor } from 'vite'
import type { ESTree, VisitorObject } from 'vite'

const ROOT = join(import.meta.dirname, '..')

/** A file of ours, by its path from the root of the tree, always with forward slashes. */
export type Source = { path: string; text: string; lines: number }

/** An import: of one of our files (a path from the root), or of a package (its name). */
export type Import = { of: string; ours: boolean; typeOnly: boolean; names: string[] }

export function sourcesOf(...folders: string[]): Source[] {
  return globSync(
    folders.map(folder => `${folder}/**/*.{ts,tsx}`),
    { cwd: ROOT },
  )
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => !path.includes('node_modules/') && !path.endsWith('.d.ts'))
    .toSorted()
    .map(path => {
      const text = readFileSync(join(ROOT, path), 'utf8')
      return { path, text, lines: text.trimEnd().split('\n').length }
    })
}

/** The top-level folders that hold TypeScript. */
export function folders(): string[] {
  const paths = globSync('*/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: ['node_modules/**', 'dist/**', 'data/**', 'test-results/**'],
  })
  return [...new Set(paths.map(path => path.replaceAll('\\', '/').split('/')[0] ?? ''))].toSorted()
}

export function readOurs(path: string): string {
  return existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : ''
}

/** A test, or a module that only tests import: `*.testing.ts`. */
export function isTest({ path }: Pick<Source, 'path'>): boolean {
  return /\.(test|testing)\.tsx?$/.test(path)
}

export function visit({ path, text }: Source, visitors: VisitorObject): void {
  const { program, errors } = parseSync(path, text, { lang: path.endsWith('x') ? 'tsx' : 'ts' })
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`)
  new Visitor(visitors).visit(program)
}

/** Every import of a file: static, re-exported, dynamic, and `import('…')` in a type. */
export function importsOf(source: Source): Import[] {
  const found: Import[] = []
  const add = (from: string, typeOnly: boolean, names: string[] = []): unknown =>
    found.push({ ...resolved(source.path, from), typeOnly, names })
  visit(source, {
    ImportDeclaration: node => add(node.source.value, isTypeOnly(node), node.specifiers.map(nameOf)),
    ExportNamedDeclaration: node => node.source && add(node.source.value, node.exportKind === 'type'),
    ExportAllDeclaration: node => add(node.source.value, node.exportKind === 'type'),
    ImportExpression: node => node.source.type === 'Literal' && add(String(node.source.value), false, ['*']),
    TSImportType: node => add(node.source.value, true),
  })
  return found
}

function isTypeOnly(node: ESTree.ImportDeclaration): boolean {
  return (
    node.importKind === 'type' ||
    (node.specifiers.length > 0 &&
      node.specifiers.every(each => each.type === 'ImportSpecifier' && each.importKind === 'type'))
  )
}

function nameOf(specifier: ESTree.ImportDeclarationSpecifier): string {
  if (specifier.type !== 'ImportSpecifier') return '*'
  if (specifier.importKind === 'type') return `type ${specifier.local.name}`
  return specifier.imported.type === 'Identifier' ? specifier.imported.name : specifier.imported.value
}

function resolved(importer: string, from: string): { of: string; ours: boolean } {
  if (from.startsWith('#')) return { of: from.slice(1), ours: true }
  if (from.startsWith('.')) return { of: posix.join(dirname(importer), from), ours: true }
  return { of: from, ours: false }
}
