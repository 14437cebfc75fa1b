import { describe, expect, test } from 'vitest'
import { APART, mayImport, folderOf, SERVER_FLOORS, WEB_FLOORS } from './floors.ts'
import { folders, importsOf, isTest, sourcesOf } from './sources.ts'

const sources = sourcesOf('contract', 'server', 'web', 'simulator')

describe('the floors', () => {
  test('are there to be walked', () => {
    expect(sources.length).toBeGreaterThan(10)
  })
  test('have every folder', () => {
    const known = new Set([...SERVER_FLOORS, ...WEB_FLOORS].flat().map(folder => folder.split('/')[0]))
    expect(
      folders().filter(folder => !known.has(folder) && !APART.includes(folder)),
      'name the folder in architecture/floors.ts',
    ).toEqual([])
  })
  test('let a folder import from below, and from itself', () => {
    expect(mayImport('server/limits/rules.ts', 'server/foundation/clock.ts', false)).toBe(true)
    expect(mayImport('server/limits/rules.ts', 'server/limits/limits.ts', false)).toBe(true)
    expect(mayImport('web/asking/composer/Composer.tsx', 'contract/asking.ts', false)).toBe(true)
  })
  test('let no folder import from above, from its own floor, or across between server, web and simulator', () => {
    expect(mayImport('server/limits/rules.ts', 'server/asking/ask.ts', false)).toBe(false)
    expect(mayImport('server/files/routes.ts', 'server/logs/store.ts', false)).toBe(false)
    expect(mayImport('web/app/App.tsx', 'server/app.ts', false)).toBe(false)
    expect(mayImport('simulator/main.ts', 'contract/models.ts', false)).toBe(false)
    expect(mayImport('server/limits/rules.ts', 'simulator/main.ts', false)).toBe(false)
  })
  test('know no folder that is not named', () => {
    expect(folderOf('server/utils/anything.ts')).toBe(null)
    expect(mayImport('server/utils/anything.ts', 'contract/models.ts', false)).toBe(false)
  })
})

test.each(sources)('$path stands on a floor and imports only from lower ones', source => {
  const wrong = importsOf(source).filter(each => each.ours && !mayImport(source.path, each.of, isTest(source)))
  expect(folderOf(source.path), 'name the folder in architecture/floors.ts').not.toBe(null)
  expect(
    wrong.map(each => each.of),
    'architecture/floors.ts has the order: move what is imported to a lower floor, or pass it in where services are put together',
  ).toEqual([])
})

describe('the ground', () => {
  test('imports no package but zod', () => {
    const packages = sourcesOf('contract')
      .filter(source => !isTest(source))
      .flatMap(importsOf)
      .filter(each => !each.ours)
    expect([...new Set(packages.map(each => each.of))].filter(name => !/^zod(\/|$)/.test(name))).toEqual([])
  })
})
