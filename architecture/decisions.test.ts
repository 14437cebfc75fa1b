import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readOurs } from './sources.ts'

const FOLDER = 'docs/decisions'
const MAX_LINES = 25

const pages = globSync('*', { cwd: join(import.meta.dirname, '..', FOLDER) }).map(name => ({
  name,
  text: readOurs(`${FOLDER}/${name}`),
}))
const numbers = pages.map(({ name }) => name.slice(0, 3))

describe('a decision', () => {
  test('is a page with a number of its own, which it begins with', () => {
    expect(pages.length).toBeGreaterThan(10)
    expect(new Set(numbers).size).toBe(pages.length)
    expect(
      pages.filter(
        ({ name, text }) => !/^\d{3}-[a-z0-9-]+\.md$/.test(name) || !text.startsWith(`# ${name.slice(0, 3)} `),
      ),
    ).toEqual([])
  })
  test(`has at most ${MAX_LINES} lines`, () => {
    const lengths = pages.map(({ name, text }) => ({ name, lines: text.trimEnd().split('\n').length }))
    expect(lengths.filter(({ lines }) => lines > MAX_LINES)).toEqual([])
  })
  test('names no other that is not there', () => {
    const named = pages.flatMap(({ name, text }) =>
      [...text.matchAll(/(?<![\d,.])\b(0\d{2})\b(?![\d,.]\d)/g)].map(([, number = '']) => ({ name, number })),
    )
    expect(named.filter(({ number }) => !numbers.includes(number))).toEqual([])
  })
})
