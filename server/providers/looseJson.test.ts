import { describe, expect, test } from 'vitest'
import { parsedInTurns } from './looseJson.ts'

const long = 'x'.repeat(200_000)

describe('a long document', () => {
  test.each<[string, unknown]>([
    ['an object', { a: [1, '2,]}', { b: null }], 'c"\\': long, __proto__: 1 }],
    ['a list', [long, [], {}, [{ a: [long] }], 'a\\\\', -1.5e3, true]],
    ['an object in objects', { a: { b: { c: { d: { e: { f: [long, { g: 1 }] } } } } } }],
    ['many members', { data: Array.from({ length: 60_000 }, (_, id) => ({ id })) }],
    ['white space', [{ ' ': [long] }]],
    ['a text', long],
  ])('is read as it is (%s)', async (_what, value) => {
    for (const text of [JSON.stringify(value), ` ${JSON.stringify(value, null, 2)}\n`])
      expect(await parsedInTurns(text)).toEqual(JSON.parse(text))
  })
  test.each([
    `{"a":"${long}"`,
    `{"a":"${long}",}`,
    `["${long}",,1]`,
    `["${long}"}`,
    `{"a" 1,"b":"${long}"}`,
    `{a:1,"b":"${long}"}`,
    `["${long}"]]`,
    `["${long}]`,
    '['.repeat(10_000_000),
    `[${'{},'.repeat(1_000_000)}1]`,
    `[[[[[${'{},'.repeat(300_000)}1]]]]]`,
  ])('is none where it is no JSON, or has more values than anybody means', async text => {
    expect(await parsedInTurns(text)).toBe(undefined)
  })
})
