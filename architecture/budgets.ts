import type { ESTree } from 'vite'
import { visit } from './sources.ts'
import type { Source } from './sources.ts'

/**
 * Size of a function. `lines` are its own: each function inside it counts as one line. `span` is all lines from its
 * first to its last.
 */
export type Measured = {
  name: string
  path: string
  line: number
  lines: number
  span: number
  props: number
  component: boolean
}

export const BUDGETS = {
  file: 350,
  function: 60,
  span: 120,
  component: { lines: 80, props: 5 },
  /** Lines of tests per line of code. */
  tests: { server: 0.8, web: 0.4 },
}

/**
 * Dictionaries of the languages: lists to look things up in. They may be of any length and have no tests of their own.
 */
export const LISTS = [/^web\/i18n\/[a-z]{2}-[A-Z]{2}[./]/]

type FunctionNode = ESTree.Function | ESTree.ArrowFunctionExpression

type Open = { node: FunctionNode; name: string; inner: number }

export function functionsOf(source: Source): Measured[] {
  const measured: Measured[] = []
  const open: Open[] = []
  const lineOf = lineCounter(source.text)
  let named = ''
  const enter = (node: FunctionNode): void => {
    open.push({ node, name: node.id?.name ?? named, inner: 0 })
    named = ''
  }
  const leave = (): void => {
    const done = open.pop()
    if (done === undefined) return
    const line = lineOf(done.node.start)
    const height = lineOf(done.node.end) - line + 1
    const component = /^[A-Z]/.test(done.name) && source.path.endsWith('.tsx')
    const around = open.at(-1)
    // An inner function counts as one line of the outer one.
    if (around !== undefined) around.inner += height - 1
    const lines = height - done.inner
    measured.push({
      name: done.name || '(unnamed)',
      path: source.path,
      line,
      lines,
      span: height,
      props: propsOf(done.node),
      component,
    })
  }
  visit(source, {
    VariableDeclarator: node => {
      named = node.id.type === 'Identifier' ? node.id.name : ''
    },
    Property: node => {
      named = node.key.type === 'Identifier' ? node.key.name : ''
    },
    MethodDefinition: node => {
      named = node.key.type === 'Identifier' ? node.key.name : ''
    },
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
  })
  return measured
}

/** The lines on which `any` is written as a type. */
export function anysOf(source: Source): string[] {
  const lineOf = lineCounter(source.text)
  const found: string[] = []
  visit(source, { TSAnyKeyword: node => found.push(`${source.path}:${lineOf(node.start)}`) })
  return found
}

function propsOf({ params: [first] }: FunctionNode): number {
  return first?.type === 'ObjectPattern' ? first.properties.length : 0
}

function lineCounter(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return offset => starts.findLastIndex(start => start <= offset) + 1
}
