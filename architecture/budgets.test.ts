import { describe, expect, test } from 'vitest'
import { anysOf, BUDGETS, functionsOf, LISTS } from './budgets.ts'
import type { Source } from './sources.ts'
import { isTest, sourcesOf } from './sources.ts'

const all = sourcesOf('contract', 'server', 'web', 'simulator')
const code = all.filter(source => !isTest(source) && !LISTS.some(list => list.test(source.path)))
const functions = code.flatMap(functionsOf)

const byLines = (a: { lines: number }, b: { lines: number }): number => b.lines - a.lines
const named = (each: { path: string; line: number; name: string; lines: number }): string =>
  `${each.lines} lines: ${each.name} (${each.path}:${each.line})`

describe('a file', () => {
  test(`has at most ${BUDGETS.file} lines`, () => {
    console.log(['The ten longest files:', ...worst(code).map(each => `  ${each.lines} ${each.path}`)].join('\n'))
    expect(
      all
        .filter(source => code.includes(source) || isTest(source))
        .filter(source => source.lines > BUDGETS.file)
        .map(source => `${source.lines} ${source.path}`),
      'split it by noun; the numbers are in architecture/budgets.ts',
    ).toEqual([])
  })
  test('has no any', () => {
    expect(all.flatMap(anysOf)).toEqual([])
  })
})

describe('a function', () => {
  test(`has at most ${BUDGETS.function} lines of its own`, () => {
    const plain = functions.filter(each => !each.component)
    console.log(['The ten longest functions:', ...worst(plain).map(each => `  ${named(each)}`)].join('\n'))
    expect(plain.filter(each => each.lines > BUDGETS.function).map(named)).toEqual([])
  })
  test(`spans at most ${BUDGETS.span} lines with the functions inside it`, () => {
    const spans = functions.map(each => ({ ...each, lines: each.span }))
    console.log(['The ten longest spans:', ...worst(spans).map(each => `  ${named(each)}`)].join('\n'))
    expect(spans.filter(each => each.lines > BUDGETS.span).map(named)).toEqual([])
  })
  test('takes each function inside it as one line', () => {
    const text = [
      'function outer() {',
      '  const inner = () => {',
      ...Array.from({ length: 100 }, () => '    call()'),
      '  }',
      '}',
    ].join('\n')
    const source: Source = { path: 'x.ts', text, lines: 104 }
    expect(functionsOf(source).map(({ name, lines, span }) => ({ name, lines, span }))).toEqual([
      { name: 'inner', lines: 102, span: 102 },
      { name: 'outer', lines: 3, span: 104 },
    ])
  })
})

describe('a component', () => {
  const components = functions.filter(each => each.component)

  test(`has at most ${BUDGETS.component.lines} lines of its own`, () => {
    console.log(['The ten longest components:', ...worst(components).map(each => `  ${named(each)}`)].join('\n'))
    expect(components.filter(each => each.lines > BUDGETS.component.lines).map(named)).toEqual([])
  })
  test(`takes at most ${BUDGETS.component.props} props`, () => {
    expect(components.filter(each => each.props > BUDGETS.component.props).map(named)).toEqual([])
  })
})

describe('the tests', () => {
  test(`of server and contract have at least ${BUDGETS.tests.server} lines for each line of code`, () => {
    expect(testRatio('server', 'contract')).toBeGreaterThanOrEqual(BUDGETS.tests.server)
  })
  test(`of the page have at least ${BUDGETS.tests.web} lines for each line of code`, () => {
    expect(testRatio('web')).toBeGreaterThanOrEqual(BUDGETS.tests.web)
  })
})

function worst<T extends { lines: number }>(measured: T[]): T[] {
  return measured.toSorted(byLines).slice(0, 10)
}

function testRatio(...folders: string[]): number {
  const inside = (source: Source): boolean => folders.includes(source.path.split('/')[0] ?? '')
  const sum = (sources: Source[]): number => sources.filter(inside).reduce((lines, source) => lines + source.lines, 0)
  const ratio = sum(all.filter(isTest)) / sum(code)
  console.log(`Test ratio of ${folders.join(' and ')}: ${ratio.toFixed(2)}`)
  return ratio
}
