import { describe, expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

const WORDS = 'geheim-8d1f'
const INFO = 30

type Line = { level: number; msg: string; sql?: string }

eachStorage((_name, storage) => {
  async function aPortal(environment: Record<string, string>) {
    const lines: string[] = []
    const portal = await startPortal({
      storage: await storage(),
      environment,
      log: line => {
        lines.push(line)
      },
    })
    // each is one object
    const statements = () => lines.map(line => JSON.parse(line) as Line).filter(line => line.sql !== undefined)
    return { portal, lines, statements }
  }

  describe('the statements of the server', () => {
    test('stand in the log when it is configured: with their text, without anybody’s words', async () => {
      const { portal, lines, statements } = await aPortal({ COMMONS_COMMON_PRINT_SQL: 'true' })
      const chat = await (await portal.person()).chat(question(WORDS, { new_title: WORDS }))
      await chat.until(frame => frame.type === 'finished')
      const texts = statements().map(({ sql = '' }) => sql)
      for (const beginning of ['begin', 'select ', 'insert into "messages"', 'update "asks"', 'commit']) {
        expect(
          texts.some(sql => sql.startsWith(beginning)),
          beginning,
        ).toBe(true)
      }
      expect(statements().every(({ level, msg }) => level === INFO && msg === 'statement')).toBe(true)
      expect(lines.filter(line => line.includes(WORDS))).toEqual([])
    })
    test('do not otherwise, until an administrator wants them', async () => {
      const { portal, statements } = await aPortal({})
      expect(statements()).toEqual([])
      await portal.admin.result('PUT', '/system/config', { common: { print_sql: true } })
      await portal.admin.result('GET', '/user/me')
      expect(statements()).not.toEqual([])
    })
  })
})
