import { describe, expect, test } from 'vitest'
import type { Source } from './sources.ts'
import { importsOf, isTest, sourcesOf, visit } from './sources.ts'

/** Every request to another host goes through this folder: it checks addresses, sets deadlines and honours proxies. */
const OUTBOUND = /^server\/foundation\/outbound\//

/** Packages of which nothing may be imported elsewhere, and names that may not be imported of others. */
const PACKAGES = ['undici', 'axios', 'got', 'node:http2', 'node:dgram']
const NAMES: Record<string, string[]> = {
  'node:http': ['*', 'request', 'get', 'Agent', 'ClientRequest'],
  'node:https': ['*', 'request', 'get', 'Agent'],
  'node:net': ['*', 'connect', 'createConnection', 'Socket'],
  'node:tls': ['*', 'connect'],
  ws: ['*', 'WebSocket', 'default'],
}
const GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']

describe('the server', () => {
  const sources = sourcesOf('server').filter(source => !isTest(source) && !OUTBOUND.test(source.path))

  test('asks nobody but through foundation/outbound/', () => {
    expect(sources.length).toBeGreaterThan(0)
    expect(sources.flatMap(requestsOf), 'ask through server/foundation/outbound/').toEqual([])
  })
  test('is caught when it does', () => {
    const text =
      "import { Agent } from 'undici'\nimport { get } from 'node:https'\nawait fetch('x')\nnew WebSocket('y')\nglobalThis.fetch('z')"
    expect(requestsOf({ path: 'server/x.ts', text, lines: 5 })).toHaveLength(5)
  })
  test('may name the types of what it serves', () => {
    const text =
      "import type { IncomingMessage } from 'node:http'\nimport { createServer, type Agent } from 'node:http'"
    expect(requestsOf({ path: 'server/x.ts', text, lines: 2 })).toEqual([])
  })
})

describe('the page', () => {
  // web/offline runs when there is no page, and so has no foundation.
  const sources = sourcesOf('web').filter(
    source => !isTest(source) && !/^web\/(foundation|offline)\//.test(source.path),
  )

  test('asks the server only through web/foundation', () => {
    expect(sources.length).toBeGreaterThan(0)
    expect(sources.flatMap(requestsOf), 'make a call (web/foundation/call.ts)').toEqual([])
  })
})

function requestsOf(source: Source): string[] {
  const imported = importsOf(source)
    .filter(each => !each.typeOnly)
    .filter(each => PACKAGES.includes(each.of) || each.names.some(name => NAMES[each.of]?.includes(name)))
    .map(each => `${source.path} imports ${each.of}`)
  const called: string[] = []
  const note = (name: string): unknown => GLOBALS.includes(name) && called.push(`${source.path} calls ${name}`)
  visit(source, {
    CallExpression: ({ callee }) => {
      if (callee.type === 'Identifier') note(callee.name)
      if (
        callee.type === 'MemberExpression' &&
        callee.object.type === 'Identifier' &&
        callee.object.name === 'globalThis' &&
        callee.property.type === 'Identifier'
      )
        note(callee.property.name)
    },
    NewExpression: ({ callee }) => callee.type === 'Identifier' && note(callee.name),
  })
  return [...imported, ...called]
}
