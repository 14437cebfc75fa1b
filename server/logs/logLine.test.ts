import { describe, expect, test } from 'vitest'
import { readPortalLine, readProxyLine, textOfLine } from './logLine.ts'

const WHOLE = { isCut: false, isWhole: true }
const portalLine = (line: unknown) => readPortalLine(typeof line === 'string' ? line : JSON.stringify(line), WHOLE)

describe('a line of the portal', () => {
  test('is taken apart: level, time, request, what happened, and the rest', () => {
    const line = {
      level: 'warn',
      time: '2026-11-20T13:12:00.411Z',
      request: 'ab-1',
      refusal: 'openai.429',
      count: 3,
      why: 'a b',
      msg: 'refused',
    }
    expect(portalLine(line)).toEqual({
      level: 'warn',
      time: '2026-11-20T13:12:00.411Z',
      request: 'ab-1',
      text: 'refused',
      rest: 'refusal=openai.429 count=3 why="a b"',
      is_cut: false,
    })
  })

  test('with an error has its stack and those of its causes in lines of their own', () => {
    const cause = { type: 'Error', message: 'broken pipe', stack: 'Error: broken pipe\n    at b' }
    const err = {
      type: 'TypeError',
      message: 'no answer',
      code: 'EPIPE',
      stack: 'TypeError: no answer\n    at a',
      cause,
    }
    expect(portalLine({ level: 'error', err, msg: 'failed' }).rest.split('\n')).toEqual([
      'err="TypeError: no answer (EPIPE)"',
      'TypeError: no answer',
      '    at a',
      'caused by Error: broken pipe',
      '    at b',
    ])
  })

  test.each([
    ['plain text', { text: 'plain text', level: null, time: null, request: null, rest: '' }],
    ['{"level":"warn","msg":"cu', { text: '{"level":"warn","msg":"cu', level: 'warn' }],
    ['[1]', { text: '[1]' }],
    ['{"level":"loud","time":"yesterday","msg":7,"request":{}}', { text: '', level: null, time: null, request: null }],
    [
      '{"msg":"\\u001b[31mred\\u001b[0m\\u0007 \\u202edlrow\\u2066"}',
      { text: '\\x1b[31mred\\x1b[0m\\x07 \\u202edlrow\\u2066' },
    ],
    ['\u001b]0;title\u0007\u0000', { text: '\\x1b]0;title\\x07\\x00' }],
    ['{"msg":"two\\nlines\\tin one"}', { text: 'two\nlines\tin one' }],
    ['{"__proto__":{"level":"fatal"},"msg":"x"}', { text: 'x', level: null }],
    ['{"msg":"\\ud800"}', { text: '\ufffd' }],
  ])('is shown whatever it holds: %j', (line, shown) => {
    expect(portalLine(line)).toMatchObject(shown)
  })

  test('that is not UTF-8 is shown as far as it is', () => {
    expect(textOfLine({ bytes: Buffer.from([0x61, 0xff, 0xfe, 0x62, 0x0d]) })).toBe('a\ufffd\ufffdb')
  })
})

const CANARY = 'geheim-8d1f'

describe('a line of a reverse proxy', () => {
  test('stands as it is', () => {
    const line = '203.0.113.9 - - [20/Nov/2026:13:12:00 +0000] "GET /api/conv HTTP/1.1" 200 512 "-" "Mozilla/5.0"'
    expect(readProxyLine(line, WHOLE)).toEqual({
      time: null,
      level: null,
      text: line,
      rest: '',
      request: null,
      is_cut: false,
    })
  })

  test.each([
    `"GET /api/x?token=${CANARY} HTTP/1.1" 200 "https://e.org/?q=${CANARY}"`,
    `{"request":{"uri":"/x?a=1\\u0026b=${CANARY}","headers":{"User-Agent":["a"]}}}`,
    `{"request":{"headers":{"Cookie":["a=1; b=${CANARY}", "c=${CANARY}"],"Accept":["*/*"]}}}`,
    `{"request":{"headers":{"Authorization":"${CANARY} \\" ${CANARY}"}}}`,
    `{"headers":{"Cookie":["a=${CANARY}`,
    `{"headers":{"Cookie":["a=${CANARY}\\`,
    `GET /x "__Host-commons_session=${CANARY}; a=1"`,
    `GET /x "commons_session_8443=${CANARY}"`,
    `GET https://lin:${CANARY}@example.org/x`,
    `GET /x Bearer ${CANARY}`,
  ])('holds nothing that lets somebody in: %s', line => {
    const { text } = readProxyLine(line, WHOLE)
    expect(text).toContain('***')
    expect(text).not.toContain(CANARY)
  })

  test('keeps what stands beside a secret', () => {
    expect(readProxyLine('{"Cookie":["a"],"Accept":["*/*"]}', WHOLE).text).toBe('{"Cookie":"***","Accept":["*/*"]}')
  })

  test.each([
    ['a-', 'a-a-a-'],
    ['"cookie":[', '"cookie":"***":["cookie'],
    ['"cookie":["', '"cookie":"***'],
    ['"cookie":"\\', '"cookie":"***'],
    ['?', '?***'],
    ['commons_session=', 'commons_session=***'],
    ['x://y:', 'x://y:'],
  ])('of the longest kind that strangers make is read in one pass: %s', (piece, beginning) => {
    const line = piece.repeat(Math.floor(65_536 / piece.length))
    expect(readProxyLine(line, WHOLE).text.slice(0, beginning.length)).toBe(beginning)
  })
})
