import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { APART, SERVER_FLOORS, WEB_FLOORS } from './floors.ts'
import { folders, readOurs, sourcesOf } from './sources.ts'

const page = readOurs('docs/architecture.md')
/** The lines of the tree: the folders that each begins with, by their paths. */
const lines = linesOf(/## The tree\n+```\n([^`]+)```/.exec(page)?.[1] ?? '')

const isThere = (folder: string): boolean => sourcesOf(folder).length > 0
const floors = [...SERVER_FLOORS, ...WEB_FLOORS]

describe('the tree in docs/architecture.md', () => {
  test.each([
    ['server', SERVER_FLOORS],
    ['web', WEB_FLOORS],
  ])('has the folders of %s that are there, a line for each floor from the ground up', (side, itsFloors) => {
    const inside = (folder: string): boolean => dirname(folder) === side
    const there = itsFloors
      .map(floor => floor.filter(folder => inside(folder) && isThere(folder)))
      .filter(floor => floor.length > 0)
    expect(lines.filter(line => line.some(inside)).map(line => line.toSorted())).toEqual(
      there.map(floor => floor.toSorted()),
    )
  })
  test('has every folder below those of the server, and no other', () => {
    const there = new Set(sourcesOf('server').flatMap(({ path }) => ancestorsOf(path)))
    const drawn = lines.flat().filter(folder => folder.startsWith('server/'))
    expect(drawn.toSorted()).toEqual([...there].toSorted())
  })
  test('has the folders outside the floors', () => {
    const tops = lines.flat().filter(folder => !folder.includes('/'))
    expect([...folders(), ...APART].filter(folder => !tops.includes(folder))).toEqual([])
  })
  test('has no floor without a folder', () => {
    expect(floors.flat().filter(folder => !isThere(folder))).toEqual([])
  })
})

/** What is two spaces further in lies in the first folder of the line above that is not. */
function linesOf(tree: string): string[][] {
  const above: string[] = []
  return tree.split('\n').flatMap(line => {
    const [, indent = '', names = ''] = /^( *)((?:\w+\/(?: +|$))+)/.exec(line) ?? []
    const depth = indent.length / 2
    const folders = [...names.matchAll(/\w+/g)].map(([name]) => [...above.slice(0, depth), name].join('/'))
    if (folders.length === 0) return []
    above.splice(depth, Infinity, folders[0]?.split('/').at(-1) ?? '')
    return [folders]
  })
}

/** The folders that a file of the server lies in, but for the outermost. */
function ancestorsOf(path: string): string[] {
  const folder = dirname(path)
  return folder === 'server' ? [] : [folder, ...ancestorsOf(folder)]
}
