/**
 * Prints how large the product is and how well it is parted, to be compared from one change to the next. `--all` prints
 * whole lists, and with them the short files that could be part of their only user.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stronglyConnected } from '../architecture/circles.ts'
import { LISTS } from '../architecture/budgets.ts'
import { importsOf, isTest, type Source, sourcesOf } from '../architecture/sources.ts'

const ROOT = join(import.meta.dirname, '..')
const MAX_COLUMNS = 120
const MAX_SHORT_LINES = 40

/** Where the web account must not be named: the core of asking, and the page's. */
const CORE = ['server/asking', 'server/limits', 'server/conversations', 'web/asking', 'web/conversations']
const WEB_ACCOUNT = /openai_web|[tT]eam|arkose|[pP]lugin/

const product = [
  ...sourcesOf('contract', 'server', 'web', 'simulator').filter(source => !isTest(source)),
  ...scriptsOf('contract', 'server', 'web', 'simulator'),
]
const [dictionaries, code] = parted(product, ({ path }) => LISTS.some(list => list.test(path)))

print('Product files', product.length)
print('  of these, dictionaries (web/i18n)', dictionaries.length)
print('Characters of code', charactersOf(code))
print('Characters of dictionaries', charactersOf(dictionaries))
print('Lines of the core that name the web account', linesThat(core(), WEB_ACCOUNT).length)
print('  by a plain search of the first level of server/conversations', linesThat(core('flat'), WEB_ACCOUNT).length)
print('Places that ask is_first', linesThat(code, /\bis_?[fF]irst\b/).length)
list('Circles of folders', folderCircles())
list(`Comments over ${MAX_COLUMNS} columns`, longComments())
if (process.argv.includes('--all')) list(`Files of up to ${MAX_SHORT_LINES} lines with one user, beside it`, short())

function print(name: string, value: number): void {
  console.log(`${name}: ${value.toLocaleString('en-US')}`)
}

function list(name: string, entries: string[]): void {
  print(name, entries.length)
  for (const entry of entries.slice(0, process.argv.includes('--all') ? Infinity : 12)) console.log(`  ${entry}`)
}

function scriptsOf(...folders: string[]): Source[] {
  return globSync(
    folders.map(folder => `${folder}/**/*.js`),
    { cwd: ROOT },
  )
    .map(path => path.replaceAll('\\', '/'))
    .map(path => {
      const text = readFileSync(join(ROOT, path), 'utf8')
      return { path, text, lines: text.trimEnd().split('\n').length }
    })
}

function parted<T>(all: T[], isFirst: (each: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter(each => !isFirst(each))]
}

function charactersOf(sources: Source[]): number {
  return sources.reduce((sum, { text }) => sum + text.length, 0)
}

function core(depth?: 'flat'): Source[] {
  return code.filter(({ path }) =>
    CORE.some(folder =>
      depth === 'flat' && folder === 'server/conversations' ? dirname(path) === folder : path.startsWith(`${folder}/`),
    ),
  )
}

function linesThat(sources: Source[], pattern: RegExp): string[] {
  return sources.flatMap(({ text }) => text.split('\n').filter(line => pattern.test(line)))
}

function folderCircles(): string[] {
  const imports = new Map<string, Set<string>>()
  for (const source of code) {
    const folder = dirname(source.path)
    const imported = imports.get(folder) ?? new Set()
    imports.set(folder, imported)
    for (const { of, ours } of importsOf(source)) if (ours && dirname(of) !== folder) imported.add(dirname(of))
  }
  return stronglyConnected(imports).map(circle => circle.join(', '))
}

function longComments(): string[] {
  return product
    .flatMap(({ path, text }) => text.split('\n').map((line, at) => ({ path: `${path}:${at + 1}`, line })))
    .filter(({ line }) => line.length > MAX_COLUMNS && /^\s*(?:\/\/|\/?\*)|\s\/\/ /.test(line))
    .toSorted((a, b) => b.line.length - a.line.length)
    .map(({ path, line }) => `${line.length} ${path}`)
}

function short(): string[] {
  const everything = [...sourcesOf('contract', 'server', 'web', 'simulator', 'testing', 'e2e', 'bench', 'scripts')]
  const users = new Map<string, string[]>()
  for (const source of everything)
    for (const { of } of importsOf(source)) if (!isTest(source)) users.set(of, [...(users.get(of) ?? []), source.path])
  const tests = new Set(everything.filter(isTest).map(({ path }) => path))
  return code.flatMap(({ path, lines }) => {
    const [user, ...more] = new Set(users.get(path))
    if (lines > MAX_SHORT_LINES || user === undefined || more.length > 0 || dirname(user) !== dirname(path)) return []
    const tested = tests.has(path.replace(/(\.tsx?)$/, '.test$1')) ? ', has a test' : ''
    return [`${path} (${lines}) -> ${user}${tested}`]
  })
}
