import { describe, expect, test } from 'vitest'
import { APART, SERVER_FLOORS, WEB_FLOORS } from './floors.ts'
import { folders, readOurs, sourcesOf } from './sources.ts'

const page = readOurs('docs/architecture.md')
/** The tree in docs/architecture.md, line by line: the paths of the folders that the line names. */
const lines = linesOf(/## The tree\n+```\n([^`]+)```/.exec(page)?.[1] ?? '')

const isThere = (folder: string): boolean => sourcesOf(folder).length > 0
const floors = [...SERVER_FLOORS, ...WEB_FLOORS]
const toCome = floors.flat().filter(folder => !isThere(folder))

describe('the tree in docs/architecture.md', () => {
  test.each([
    ['server', SERVER_FLOORS],
    ['web', WEB_FLOORS],
  ])('has the folders of %s that are there, a line for each floor from the ground up', (side, itsFloors) => {
    const inside = (folder: string): boolean => folder.startsWith(`${side}/`)
    const there = itsFloors
      .map(floor => floor.filter(folder => inside(folder) && isThere(folder)))
      .filter(floor => floor.length > 0)
    expect(lines.filter(line => line.some(inside)).map(line => line.toSorted())).toEqual(
      there.map(floor => floor.toSorted()),
    )
  })
  test('has the folders outside the floors', () => {
    const tops = lines.flat().filter(folder => !folder.includes('/'))
    expect([...folders(), ...APART].filter(folder => !tops.includes(folder))).toEqual([])
  })
  test('is followed by the folders to come, and those only', () => {
    const [, sentence = ''] = /Floors are kept for what is to come:\s([^.]*)\./.exec(page) ?? []
    expect([...sentence.matchAll(/`([\w/]+)`/g)].map(([, folder]) => folder).toSorted()).toEqual(toCome.toSorted())
  })
})

function linesOf(tree: string): string[][] {
  let top = ''
  return tree.split('\n').flatMap(line => {
    const [, indent = '', names = ''] = /^( *)((?:\w+\/(?: +|$))+)/.exec(line) ?? []
    const folders = [...names.matchAll(/\w+/g)].map(([name]) => (indent === '' ? name : `${top}/${name}`))
    if (indent === '' && folders[0] !== undefined) top = folders[0]
    return folders.length === 0 ? [] : [folders]
  })
}
