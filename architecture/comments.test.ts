import { describe, expect, test } from 'vitest'
import { type Source, sourcesOf } from './sources.ts'

const MAX_COLUMNS = 120

const FOLDERS = ['architecture', 'bench', 'contract', 'e2e', 'scripts', 'server', 'simulator', 'testing', 'web']

describe('a comment', () => {
  test.each(FOLDERS)(`in %s has at most ${MAX_COLUMNS} columns`, folder => {
    const sources = sourcesOf(folder)
    expect(sources.length).toBeGreaterThan(0)
    expect(sources.flatMap(wideComments), 'break its line').toEqual([])
  })
  test('that is wider is found', () => {
    const text = ['// short', `// ${'a'.repeat(118)}`, `const text = '${'a'.repeat(118)}'`].join('\n')
    expect(wideComments({ path: 'x.ts', text, lines: 3 })).toEqual(['x.ts:2'])
  })
})

function wideComments({ path, text }: Source): string[] {
  return text
    .split('\n')
    .flatMap((line, at) => (line.length > MAX_COLUMNS && /^\s*(?:\/\/|\/?\*)/.test(line) ? [`${path}:${at + 1}`] : []))
}
