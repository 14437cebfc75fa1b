import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { APART } from './floors.ts'
import { readOurs, type Source, sourcesOf } from './sources.ts'

const files = globSync('**/*.{ts,tsx,mts,mjs,js,css,md}', {
  cwd: join(import.meta.dirname, '..'),
  exclude: ['node_modules/**', 'dist/**', 'data/**', 'test-results/**'],
}).map(path => `/${path.replaceAll('\\', '/')}`)
const decisionPages = files.filter(path => path.startsWith('/docs/decisions/')).map(path => path.slice(1))
const decisions = decisionPages.flatMap(path => /\/(\d{3})-/.exec(path)?.[1] ?? [])

const COMMENT = /^\s*(?:\/\/|\/?\*).*$|(?<=\s)\/\/ .*$/gm
const FILE = /(?<![\w/.>])[\w/-]+\.(?:tsx?|mjs|js|css|md)\b(?:, "([^"]+)")?/g
const DECISION = /\bdecision (\d{3})\b/g

describe('what a comment refers to', () => {
  const sources = sourcesOf('contract', 'server', 'web', ...APART)

  test('is in the repository: files, sections of docs and decisions', () => {
    expect(sources.flatMap(missing)).toEqual([])
  })
  test.each(['docs/architecture.md', 'docs/performance.md', ...decisionPages])(
    'and so are the files that %s names',
    page => {
      const named = [...readOurs(page).matchAll(FILE)].map(([file]) => file)
      expect(named.filter(file => !isThere(file, undefined))).toEqual([])
    },
  )
  test('is missed when it is not', () => {
    const text = [
      '/** As in gone.ts (docs/protocol.md, "Gone"). */',
      '// decision 999',
      '// docs/protocol.md, "Limits", decision 001 and rules.ts',
    ].join('\n')
    expect(missing({ path: 'x.ts', text, lines: 3 })).toEqual([
      'x.ts: gone.ts',
      'x.ts: docs/protocol.md, "Gone"',
      'x.ts: decision 999',
    ])
  })
})

function missing({ path, text }: Source): string[] {
  return [...text.matchAll(COMMENT)]
    .flatMap(([comment]) => [
      ...[...comment.matchAll(FILE)].filter(([named, section]) => !isThere(named.split(',')[0] ?? '', section)),
      ...[...comment.matchAll(DECISION)].filter(([, number = '']) => !decisions.includes(number)),
    ])
    .map(([named]) => `${path}: ${named}`)
}

function isThere(file: string, section: string | undefined): boolean {
  return (
    files.some(path => path.endsWith(`/${file}`)) &&
    (section === undefined || readOurs(file).includes(`\n## ${section}`))
  )
}
