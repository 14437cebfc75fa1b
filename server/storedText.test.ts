import { describe, expect, test } from 'vitest'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import { textOf } from '#contract/messages.ts'
import { eachStorage } from '#testing/database.ts'
import { question, type Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

/** What becomes of a text in each place: kept as it is, or refused. The same on both databases. */
const TEXTS: readonly {
  what: string
  text: string
  title: boolean
  nickname: boolean
  remark: boolean
  message: boolean
  /** What is kept in its place. */
  as?: string
}[] = [
  { what: 'Chinese', text: '热泵是什么？', title: true, nickname: true, remark: true, message: true },
  { what: 'emoji of four bytes', text: 'a 😀 b', title: true, nickname: true, remark: true, message: true },
  {
    what: 'emoji joined by invisible characters',
    text: '👩‍🚀',
    title: true,
    nickname: true,
    remark: true,
    message: true,
  },
  {
    what: 'quotes and SQL',
    text: `'; drop table users; -- "x" \\ %s \${1}`,
    title: true,
    nickname: true,
    remark: true,
    message: true,
  },
  { what: 'HTML', text: '<img src=x onerror=alert(1)>&amp;', title: true, nickname: true, remark: true, message: true },
  { what: 'a right-to-left override', text: 'abc\u202Edef', title: true, nickname: false, remark: true, message: true },
  {
    what: 'combining marks, not composed',
    text: 'e\u0301 \u0041\u030A',
    title: true,
    nickname: true,
    remark: true,
    message: true,
  },
  { what: 'the longest title', text: '一'.repeat(200), title: true, nickname: false, remark: true, message: true },
  {
    what: 'more than the longest title',
    text: '一'.repeat(201),
    title: false,
    nickname: false,
    remark: true,
    message: true,
  },
  {
    what: 'more than the longest remark',
    text: 'x'.repeat(257),
    title: false,
    nickname: false,
    remark: false,
    message: true,
  },
  { what: 'line breaks', text: 'one\r\ntwo', title: false, nickname: false, remark: true, message: true },
  { what: 'a NUL', text: 'a\0b', title: true, nickname: true, remark: true, message: true, as: 'a\uFFFDb' },
  {
    what: 'the first half of a surrogate pair',
    text: 'cut \uD83D here',
    title: true,
    nickname: true,
    remark: true,
    message: true,
    as: 'cut \uFFFD here',
  },
  {
    what: 'the second half of a surrogate pair',
    text: '\uDE00b',
    title: true,
    nickname: true,
    remark: true,
    message: true,
    as: '\uFFFDb',
  },
]

type StoredText = string | null

/** As languages write it that encode half a pair in bytes; those of JavaScript refuse to. */
const inAddress = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Cs}/gu, half => `<${half.charCodeAt(0).toString(16)}>`)).replaceAll(
    /%3C(d[89a-f]..)%3E/g,
    (_, unit: string) => {
      const code = Number.parseInt(unit, 16)
      return `%ED%${(0x80 | ((code >> 6) & 0x3f)).toString(16)}%${(0x80 | (code & 0x3f)).toString(16)}`
    },
  )

async function titled(lin: Person, id: string, text: string): Promise<StoredText> {
  const { code } = await lin.call('PATCH', `/conv/${id}?title=${inAddress(text)}`)
  const records = await lin.result<ConversationRecord[]>('GET', '/conv')
  return code === 200 ? (records.find(record => record.conversation_id === id)?.title ?? null) : null
}

async function storedTitle(lin: Person, new_title: string): Promise<StoredText> {
  const frames = await lin.ask('hello', { new_title })
  if (frames[0]?.type !== 'accepted') return null
  const { title } = await lin.result<ConversationHistory>('GET', `/conv/${String(frames[0]['conversation_id'])}`)
  return title
}

async function asked(lin: Person, text: string): Promise<StoredText> {
  const chat = await lin.chat(question(text, { new_title: 'x' }))
  await chat.closed
  if (chat.frames[0]?.type !== 'accepted') return null
  const history = await lin.result<ConversationHistory>('GET', `/conv/${String(chat.frames[0]['conversation_id'])}`)
  const found = Object.values(history.mapping).find(message => message.role === 'user')
  return found === undefined ? null : textOf(found)
}

async function changed(person: Person, path: string, field: string, text: string): Promise<StoredText> {
  const { code, result } = await person.call('PATCH', path, { [field]: text })
  return code === 200 ? String(Object(result)[field]) : null
}

eachStorage((_name, storage) => {
  describe('text', () => {
    test('is kept as it is or refused, wherever people write it', async () => {
      const { person, admin, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      const id = String((await lin.ask('hello', { new_title: 'x' }))[0]?.['conversation_id'])
      for (const { what, text, as, ...expected } of TEXTS) {
        const orRefused = (isKept: boolean) => (isKept ? (as ?? text) : null)
        expect(await titled(lin, id, text), `title: ${what}`).toBe(orRefused(expected.title))
        expect(await changed(lin, '/user/me', 'nickname', text), `nickname: ${what}`).toBe(orRefused(expected.nickname))
        expect(await changed(admin, `/user/${lin.id}`, 'remark', text), `remark: ${what}`).toBe(
          orRefused(expected.remark),
        )
        expect(await storedTitle(lin, text), `new_title: ${what}`).toBe(orRefused(expected.title))
        expect(await asked(lin, text), `message: ${what}`).toBe(orRefused(expected.message))
      }
      const reached = JSON.stringify(simulator.journal.map(({ body }) => body))
      expect(reached).not.toMatch(/\\u(?:0000|d[89a-f]..)/)
      expect(reached).toContain('cut \uFFFD here')
    })

    test('of the upstream is kept as well, whatever it is', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      for (const text of ['a\0b', '\u202E\r\n😀', `'; drop table messages; --`]) {
        simulator.nextAnswer(text)
        const frames = await lin.ask('hello', { new_title: 'x' })
        const history = await lin.result<ConversationHistory>('GET', `/conv/${String(frames[0]?.['conversation_id'])}`)
        expect(textOf(history.mapping[history.current_node ?? ''] ?? { content: null })).toBe(
          text.replaceAll('\0', '\uFFFD'),
        )
      }
    })

    test('of the greatest length is asked, answered and found again', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      const words = '热泵 pump '.repeat(40_000).slice(0, 256_000)
      simulator.nextAnswer('short')
      expect(await asked(lin, words)).toBe(words)
      const found = await lin.result<{ results: { excerpt: string }[] }>(
        'GET',
        `/conv/search?words=${encodeURIComponent('热泵')}`,
      )
      expect(found.results[0]?.excerpt).toContain('热泵')
    })
  })
})
