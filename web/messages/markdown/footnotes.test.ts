import { expect, test } from 'vitest'
import type { Nodes } from 'mdast'
import { wholeBlocks } from './wholeBlocks.ts'

function notesIn(text: string): string[] {
  const notes: string[] = []
  const collect = (node: Nodes): void => {
    if (node.type === 'footnoteReference') notes.push(`${node.identifier} ${node.number}`)
    if (node.type === 'footnoteDefinition') notes.push(`${node.identifier}: ${node.number ?? 'none'}`)
    if ('children' in node) node.children.forEach(collect)
  }
  for (const { node } of wholeBlocks(text).flat()) collect(node)
  return notes
}

test('notes are numbered in the order in which the text comes to them', () => {
  expect(notesIn('先[^b]后[^a]又[^b]\n\n[^a]: 甲\n\n[^b]: 乙')).toEqual(['b 1', 'a 2', 'b 1', 'a: 2', 'b: 1'])
})

test('a note that nothing mentions has no number', () => {
  expect(notesIn('字[^a]\n\n[^a]: 甲\n\n[^z]: 末')).toEqual(['a 1', 'a: 1', 'z: none'])
})

test('notes in lists and tables count where they stand', () => {
  expect(notesIn('- 一[^x]\n\n| a |\n|-|\n| b[^y] |\n\n[^y]: 2\n\n[^x]: 1')).toEqual(['x 1', 'y 2', 'y: 2', 'x: 1'])
})
