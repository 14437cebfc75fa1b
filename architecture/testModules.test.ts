import { describe, expect, test } from 'vitest'
import { APART } from './floors.ts'
import { type Import, importsOf, isTest, type Source, sourcesOf } from './sources.ts'

/** Programs: started from the command line, imported by nobody. */
const PROGRAMS = ['server/commandLine.ts', 'web/kit/mantineVariables.ts']
/** Folders whose code the product never uses. */
const ONLY_TESTS = /^(architecture|bench|e2e|testing)\//

const product = sourcesOf('contract', 'server', 'web', 'simulator').filter(source => !isTest(source))

describe('a module for tests, *.testing.ts', () => {
  test('is imported by nothing of the product', () => {
    expect(product.flatMap(testModulesIn), 'move what the product needs to a file of its own').toEqual([])
  })
  test('is missed nowhere when it is', () => {
    const text =
      "import { aFile } from './builders.testing.ts'\nconst one = await import('#web/files/requests.testing.tsx')\nimport { a } from './a.ts'"
    expect(testModulesIn({ path: 'web/files/FileRow.tsx', text, lines: 3 })).toHaveLength(2)
  })
  test('is named so as soon as tests alone import it', () => {
    const importers = importersOf(sourcesOf('contract', 'server', 'web', ...APART))
    expect(importers.size).toBeGreaterThan(100)
    const unnamed = product
      .map(({ path }) => path)
      .filter(path => !PROGRAMS.includes(path))
      .filter(path => importers.get(path)?.every(importer => isTest({ path: importer }) || ONLY_TESTS.test(importer)))
    expect(unnamed, 'nothing uses it: remove it, or name it *.testing.ts').toEqual([])
  })
})

function ours(source: Source): Import[] {
  return importsOf(source).filter(each => each.ours)
}

function testModulesIn(source: Source): string[] {
  return ours(source)
    .filter(({ of }) => isTest({ path: of }))
    .map(({ of }) => `${source.path} imports ${of}`)
}

function importersOf(sources: Source[]): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  for (const source of sources)
    for (const { of } of ours(source)) importers.set(of, [...(importers.get(of) ?? []), source.path])
  return importers
}
