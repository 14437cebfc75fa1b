import { describe, expect, test } from 'vitest'
import { readOurs } from '../architecture/sources.ts'

type Manifest = { engines?: { node?: string } }

const manifest = JSON.parse(readOurs('package.json')) as Manifest // npm's own format
const lock = JSON.parse(readOurs('package-lock.json')) as { packages: Record<string, Manifest> } // npm's own format
delete lock.packages[''] // itself
const oldest = manifest.engines?.node?.replace('>=', '') ?? ''

describe('the oldest Node that package.json names', () => {
  test('is one that no package warns of', () => {
    const wanted = Object.entries(lock.packages).map(([name, { engines }]) => ({ name, node: engines?.node ?? '*' }))
    expect(wanted.length).toBeGreaterThan(200)
    expect(wanted.filter(({ node }) => !accepts(node, oldest))).toEqual([])
  })
  test('is the oldest one for which that is so', () => {
    const [major = 0, minor = 0] = numbersOf(oldest)
    expect(
      Object.values(lock.packages).every(({ engines }) => accepts(engines?.node ?? '*', `${major}.${minor - 1}`)),
    ).toBe(false)
  })
  test('is the one that the documents name', () => {
    for (const page of ['README.md', 'CONTRIBUTING.md']) expect(readOurs(page)).toContain(` ${oldest} or later`)
  })
})

test.each([
  ['^20.19.0 || ^22.13.0 || >=23.5.0', '22.19', true],
  ['^20.19.0 || ^22.13.0 || >=23.5.0', '21.0', false],
  ['>= 10.x', '22.19', true],
  ['20 || >=22', '20.3', true],
  ['>=16 || 14 >=14.17', '15.0', false],
  ['>=22.19.0', '22.18', false],
  ['^18', '20.0', false],
])('the range %s and %s', (range, version, fits) => {
  expect(accepts(range, version)).toBe(fits)
})

/** What of npm's ranges the packages use. */
function accepts(range: string, version: string): boolean {
  return range.split('||').some(each =>
    each
      .trim()
      .replaceAll(/>=\s+/g, '>=')
      .split(/\s+/)
      .every(part => accepted(part, numbersOf(version))),
  )
}

function accepted(part: string, version: number[]): boolean {
  const [, operator = '', from = ''] = /^(>=|\^|)(\d[\d.x]*|\*)$/.exec(part) ?? []
  if (from === '*') return true
  if (from === '') throw new Error(`not a range that is known: ${part}`)
  const wanted = numbersOf(from)
  const isReached = compare(version, wanted) >= 0
  return operator === '>=' ? isReached : isReached && version[0] === wanted[0]
}

const numbersOf = (version: string): number[] =>
  version
    .split('.')
    .filter(part => part !== 'x')
    .map(Number)

function compare(one: readonly number[], other: readonly number[]): number {
  for (let at = 0; at < 3; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
