import { describe, expect, test } from 'vitest'
import { openLog, openLogWithFile, setLogLevel, type LogLevel } from './logging.ts'

const CANARY = 'geheim-8d1f'

describe('a line of the log', () => {
  test('is JSON with a time, a level and what happened', () => {
    const [line] = linesOf(log => log.info({ user: 7 }, 'signed in'))
    expect(line).toMatchObject({ level: 'info', user: 7, msg: 'signed in' })
    expect(Date.parse(String(line?.['time']))).not.toBeNaN()
  })

  test.each([
    { password: CANARY },
    { user: { password: CANARY } },
    { a: { b: { token: CANARY } } },
    { a: { b: { c: { cookie: CANARY } } } },
    { headers: { 'set-cookie': CANARY, authorization: CANARY } },
    { openai_api_key: CANARY },
    { text_content: CANARY },
    { message: { content: CANARY } },
    { query: { title: CANARY } },
    { body: CANARY },
  ])('holds no secret and no words of anybody: %j', given => {
    expect(JSON.stringify(linesOf(log => log.error(given, 'x')))).not.toContain(CANARY)
  })

  test('tells of a full disk once, whatever fails of it, and of everything else each time', () => {
    const full = Object.assign(new Error('database or disk is full'), { errcode: 13 })
    const lines = linesOf(log => {
      for (let time = 0; time < 3; time++) {
        log.error({ err: full }, 'not stored')
        log.warn({ err: new Error('refused', { cause: full }) }, 'refused')
        log.warn({ err: new Error('no answer') }, 'no answer')
        log.info({ user: 7 }, 'signed in')
      }
    })
    expect(lines.map(line => line['msg'])).toEqual([
      'not stored',
      ...Array.from({ length: 3 }, () => ['no answer', 'signed in']).flat(),
    ])
  })

  test('tells of an error its kind, text, code and cause, and nothing that hangs on it', () => {
    const error = Object.assign(new Error('no answer', { cause: new Error('broken pipe') }), {
      code: 'EPIPE',
      request: CANARY,
    })
    const [line] = linesOf(log => log.error({ err: error }, 'failed'))
    expect(line?.['err']).toMatchObject({
      type: 'Error',
      message: 'no answer',
      code: 'EPIPE',
      cause: { message: 'broken pipe' },
    })
    expect(JSON.stringify(line)).not.toContain(CANARY)
  })

  test.each([
    `cannot reach postgres://commons:${CANARY}@db/commons`,
    `refused: Authorization: Bearer ${CANARY}`,
    `bad key sk-${CANARY}`,
    `GET https://example.org/?key=${CANARY} failed`,
  ])('masks what libraries put into texts: %s', message => {
    expect(JSON.stringify(linesOf(log => log.error({ err: new Error(message) }, 'failed')))).not.toContain(CANARY)
  })

  test('masks keys of other tools, wherever they stand', () => {
    const [line] = linesOf(log => log.error({ err: new Error('no model gpt/cmn_0123456789abcDEF here') }, 'failed'))
    expect(line?.['err']).toMatchObject({ message: 'no model gpt/cmn_*** here' })
  })

  test('is written from the level on, which may change while the program runs', () => {
    expect(linesOf(log => log.debug('small'))).toHaveLength(0)
    expect(linesOf(log => log.info('x'), 'WARNING')).toHaveLength(0)
    expect(
      linesOf(log => {
        setLogLevel(log, 'DEBUG')
        log.debug('small')
      }),
    ).toHaveLength(1)
  })
})

describe('a log with a file', () => {
  test('has in the file what is INFO or worse, whatever standard output is to have', () => {
    const [shown, kept] = [new Array<string>(), new Array<string>()]
    const into = (lines: string[]) => ({ write: (line: string) => void lines.push(JSON.parse(line).msg) })
    const log = openLogWithFile('WARNING', into(kept), into(shown))
    log.debug('a')
    log.info({ password: CANARY }, 'b')
    log.warn('c')
    expect({ shown, kept }).toEqual({ shown: ['c'], kept: ['b', 'c'] })
    setLogLevel(log, 'DEBUG')
    log.debug('d')
    setLogLevel(log, 'INFO')
    log.debug('e')
    log.info('f')
    expect({ shown, kept }).toEqual({ shown: ['c', 'd', 'f'], kept: ['b', 'c', 'd', 'f'] })
  })
})

function linesOf(work: (log: ReturnType<typeof openLog>) => void, level: LogLevel = 'INFO'): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = []
  work(
    openLog(level, {
      write: line => {
        lines.push(JSON.parse(line))
      },
    }),
  )
  return lines
}
