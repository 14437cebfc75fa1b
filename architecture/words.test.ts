import { describe, expect, test } from 'vitest'
import { sourcesOf } from './sources.ts'
import { UNUSED_NAMES, unusedNamesIn } from './words.ts'

/** The folders whose names are held to the list. */
const FOLDERS = ['architecture', 'bench', 'contract', 'e2e', 'scripts', 'server', 'simulator', 'testing', 'web']

const unusedIn = (text: string, path = 'x.ts') =>
  unusedNamesIn({ path, text, lines: 1 }).map(each => each.split(' ')[1])

describe('a name', () => {
  test.each(FOLDERS)('in %s is none of those that are not used', folder => {
    const sources = sourcesOf(folder)
    expect(sources.length).toBeGreaterThan(0)
    expect(sources.flatMap(unusedNamesIn), 'architecture/words.ts says what to use instead').toEqual([])
  })
  test.each([
    ['const useDesk = () => 1', 'useDesk'],
    ['const DESK_WIDTH = 1', 'DESK_WIDTH'],
    ['type BranchDesk = {}', 'BranchDesk'],
    ['function ask(lane: string) {}', 'lane'],
    ['const { queue: lane } = ask', 'lane'],
    ['const [, ...lanes] = all', 'lanes'],
    ['type Queue = { inGroups: boolean }', 'inGroups'],
    ['const waiting = { told: 1 }', 'told'],
    ['class HTMLDesk {}', 'HTMLDesk'],
    ['type Options = { last(): void }', 'last'],
    ['type Options = { last: () => void }', 'last'],
    ['try { ask() } catch (told) {}', 'told'],
    ['const MOST_LINES = 5', 'MOST_LINES'],
    ['const KEPT_FOR_METERS = 5', 'KEPT_FOR_METERS'],
  ])('that is not used is found where it is declared: %s', (text, name) => {
    expect(unusedIn(text)).toEqual([name])
  })
  test.each(['server/asking/endings.ts', 'server/asking/endings.test.ts', 'server/asking/elsewhere.ts'])(
    'that is not used is found as the name of a file: %s',
    path => {
      expect(unusedIn('', path)).toHaveLength(1)
    },
  )
  test.each([
    'const desktop = planet',
    'const { place } = event',
    'const { lane: queue } = row',
    'send({ place: position })',
    'send({ place })',
    "const env = { COMMONS_PORTAL_SHOW_NAMES_IN_LINE: 'true' }",
    'type Event = { place: number }',
    'const [first, ...rest] = words',
    'const line = text',
    'const turn = queue.turn()',
    'const turns = [1]',
    'const last = all.at(-1)',
    'const isLate = late',
    'const most = 5',
    'const MAX_LINES = 5',
    '// the desk of a lane',
    "const text = 'desk'",
    'const replaced = placeholder',
  ])('that is used is not found: %s', text => {
    expect(unusedIn(text)).toEqual([])
  })
})

describe('the list of names that are not used', () => {
  test('has each once, in small letters, as words apart', () => {
    const all = UNUSED_NAMES.map(({ words }) => words)
    expect(all.filter(words => !/^[a-z]+( [a-z]+)*$/.test(words))).toEqual([])
    expect(new Set(all).size).toBe(all.length)
  })
})
