import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync, appendFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { LogQuestion } from '#contract/logFiles.ts'
import { logFileName, logFolder, logNameOf } from '#server/foundation/logFile.ts'
import { emptyFolder } from '#testing/dataFolder.ts'
import { startPortal } from '#testing/portal.ts'
import { openLogs, readPortalLine, readProxyLine, textOfLine } from './logs.ts'

const DAY = 86_400_000
const ofProcess = (process_id: number) => logNameOf(new Date(Date.UTC(2026, 10, 20)), process_id, 'north')
const OWN = ofProcess(7)

async function someLogs(given: { proxy_log_file?: string; own?: string | null } = {}) {
  const data_dir = await emptyFolder()
  mkdirSync(logFolder(data_dir))
  const write = (name: string, lines: readonly unknown[], part = 1) =>
    appendFileSync(
      join(logFolder(data_dir), logFileName(name, part)),
      lines.map(line => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
    )
  const logs = openLogs({
    data_dir,
    proxy_log_file: given.proxy_log_file ?? null,
    own: given.own === undefined ? OWN : given.own,
  })
  const texts = async (question: Partial<LogQuestion>) =>
    (await logs.lines({ exclude_keywords: [], max_lines: 100, ...question })).lines.map(line => line.text)
  return { data_dir, write, logs, texts }
}

const LINES = [
  { level: 'debug', msg: 'answered', route: '/status/common' },
  { level: 'info', msg: 'read', request: 'ab-1' },
  { level: 'warn', msg: 'refused', request: 'ab-2', of: 'ab-1' },
  { level: 'error', msg: 'failed', request: 'ab-1' },
  'not JSON',
]

describe('the log of the portal', () => {
  test('is filtered by level, words and request', async () => {
    const { write, texts } = await someLogs()
    write(OWN, LINES)
    expect(await texts({})).toEqual(['answered', 'read', 'refused', 'failed', 'not JSON'])
    expect(await texts({ level: 'warn' })).toEqual(['refused', 'failed', 'not JSON'])
    expect(await texts({ exclude_keywords: ['/STATUS', 'json'] })).toEqual(['read', 'refused', 'failed'])
    expect(await texts({ exclude_keywords: ['route=/status', '"level":"error"'] })).not.toContain('answered')
    expect(await texts({ request: 'ab-1' })).toEqual(['read', 'failed'])
    expect(await texts({ request: 'ab-1', max_lines: 1 })).toEqual(['failed'])
  })

  test('is that of the process that answers unless another one is named', async () => {
    const { write, texts, logs } = await someLogs()
    write(OWN, [{ msg: 'mine' }])
    write(ofProcess(8), [{ msg: 'of another' }])
    expect([await texts({}), await texts({ name: ofProcess(8) })]).toEqual([['mine'], ['of another']])
    await expect(texts({ name: ofProcess(9) })).rejects.toMatchObject({ key: 'resourceNotFound' })
    await expect(texts({ after: 'no cursor' })).rejects.toMatchObject({ key: 'requestValidationError' })
    expect((await logs.list()).processes).toMatchObject([
      { name: OWN, process_id: 7, machine: 'north', start_time: '2026-11-20T00:00:00.000Z', files: 1, is_own: true },
      { name: ofProcess(8), is_own: false },
    ])
  })

  test('is empty where the process writes no file', async () => {
    const { logs } = await someLogs({ own: null })
    expect(await logs.lines({ exclude_keywords: [], max_lines: 1 })).toMatchObject({
      process: null,
      lines: [],
      cursor: null,
    })
    expect(await logs.lastLines(null)).toEqual([])
    const data_dir = await emptyFolder()
    writeFileSync(logFolder(data_dir), 'in the way')
    const none = openLogs({ data_dir, proxy_log_file: null, own: OWN })
    expect((await none.list()).processes).toEqual([])
    expect(await none.lines({ exclude_keywords: [], max_lines: 1 })).toMatchObject({ process: null, lines: [] })
    expect(await none.removeOld(Date.now())).toBe(0)
  })

  test('is for older clients the lines as they stand', async () => {
    const { write, logs } = await someLogs()
    write(OWN, LINES)
    expect(await logs.lastLines({ max_lines: 2, exclude_keywords: ['not'] })).toEqual(
      LINES.slice(2, 4).map(line => `${JSON.stringify(line)}\n`),
    )
    expect(await logs.lastLines({ max_lines: 5, exclude_keywords: [''] })).toHaveLength(5)
  })

  test('answers older clients that send no body, whatever they say of its type', async () => {
    const { url, admin } = await startPortal()
    const sent: RequestInit[] = [
      {},
      { body: '' },
      { headers: { 'content-type': 'application/json' } },
      { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      { headers: { 'content-type': 'application/json' }, body: 'null' },
      { headers: { 'content-type': 'application/json' }, body: '{}' },
    ]
    for (const { headers, body } of sent) {
      const response = await fetch(`${url}/api/logs/server`, {
        method: 'POST',
        headers: { ...headers, cookie: admin.cookie, origin: url },
        ...(body !== undefined && { body: body === '' ? new Uint8Array() : body }),
      })
      expect(await response.json(), JSON.stringify([headers, body])).toMatchObject({
        code: 200,
        result: expect.any(Array),
      })
    }
  })

  test('can be saved as a file, as long as it is when somebody asks', async () => {
    const { write, logs } = await someLogs()
    write(OWN, ['old'], 1)
    write(OWN, ['new'], 2)
    const { content, size, name } = await logs.download(OWN)
    write(OWN, ['newer'], 2)
    expect([await text(content.createReadStream()), size, name]).toEqual(['new\n', 4, `${OWN}.log`])
    await expect(logs.download(ofProcess(9))).rejects.toMatchObject({ key: 'resourceNotFound' })
  })

  test('of ended processes is kept for thirty days and thirty processes, and nothing else is touched', async () => {
    const { write, logs, data_dir } = await someLogs()
    for (let process_id = 7; process_id < 45; process_id++) {
      write(ofProcess(process_id), ['x'])
      const time = new Date(Date.now() - (process_id === 8 ? 31 * DAY : process_id * 1000))
      utimesSync(join(logFolder(data_dir), logFileName(ofProcess(process_id), 1)), time, time)
    }
    writeFileSync(join(logFolder(data_dir), 'notes.log'), 'of the administrator')
    expect(await logs.removeOld(Date.now())).toBe(7)
    const left = readdirSync(logFolder(data_dir))
    expect(left).toHaveLength(32)
    expect(left).toEqual(expect.arrayContaining(['notes.log', logFileName(OWN, 1), logFileName(ofProcess(9), 1)]))
    expect(left).not.toContain(logFileName(ofProcess(8), 1))
  })
})

describe('the log of the reverse proxy', () => {
  test('is read from its end, masked, filtered and followed', async () => {
    const proxy_log_file = join(await emptyFolder(), 'access.log')
    writeFileSync(proxy_log_file, 'GET /a?secret=1 200\nGET /status 200\nGET /b 200\n')
    const { logs } = await someLogs({ proxy_log_file })
    expect((await logs.list()).proxy).toMatchObject({ state: 'ready', path: proxy_log_file, bytes: 47 })
    const first = await logs.proxyLines({ max_lines: 2, exclude_keywords: ['/status'] })
    expect(first.lines.map(line => line.text)).toEqual(['GET /a?*** 200', 'GET /b 200'])
    appendFileSync(proxy_log_file, 'GET /c 200\n')
    const second = await logs.proxyLines({ max_lines: 2, exclude_keywords: [], after: first.cursor })
    expect(second.lines.map(line => line.text)).toEqual(['GET /c 200'])
  })

  test('is nothing but a plain file outside the data folder', async () => {
    const folder = await emptyFolder()
    const at = (name: string) => join(folder, name)
    writeFileSync(at('file'), 'secret\n')
    symlinkSync(at('file'), at('link'))
    mkdirSync(at('folder'))
    execFileSync('mkfifo', [at('fifo')])
    const stateOf = async (proxy_log_file: string) => {
      const { logs } = await someLogs({ proxy_log_file })
      const { lines } = await logs.proxyLines({ max_lines: 10, exclude_keywords: [] })
      return [(await logs.list()).proxy.state, lines.length]
    }
    expect(await stateOf(at('file'))).toEqual(['ready', 1])
    expect(await stateOf(at('none'))).toEqual(['missing', 0])
    for (const path of [at('link'), at('folder'), at('fifo'), '/dev/zero'].filter(existsSync))
      expect([path, ...(await stateOf(path))]).toEqual([path, 'notRegular', 0])

    const { data_dir } = await someLogs()
    writeFileSync(join(data_dir, 'secret.key'), 'key\n')
    symlinkSync(data_dir, at('innocent'))
    for (const path of [join(data_dir, 'secret.key'), at('innocent/secret.key')]) {
      const logs = openLogs({ data_dir, proxy_log_file: path, own: null })
      expect((await logs.list()).proxy).toMatchObject({ state: 'inDataFolder', bytes: null })
      expect((await logs.proxyLines({ max_lines: 1, exclude_keywords: [] })).lines).toEqual([])
    }
    expect((await (await someLogs()).logs.list()).proxy.state).toBe('notSet')
  })
})

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
