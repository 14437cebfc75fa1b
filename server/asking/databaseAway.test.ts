import { describe, expect, onTestFinished, test } from 'vitest'
import type { ConversationHistory } from '#contract/conversations.ts'
import { textOf } from '#contract/messages.ts'
import { cuttableProxy } from '#testing/cuttableProxy.ts'
import { aPostgresqlAddress } from '#testing/database.ts'
import { heldUpstream } from '#testing/heldUpstream.ts'
import { bringsText, type Chat, type Person, question, textOfFrames } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

/** A portal whose database can be away for a while, as it is when it is started again. */
async function aPortal() {
  const database = await cuttableProxy(await aPostgresqlAddress())
  onTestFinished(database.close)
  const upstream = await heldUpstream()
  const log: string[] = []
  const portal = await startPortal({
    storage: { database_url: database.url },
    environment: { OPENAI_BASE_URL: upstream.base_url, COMMONS_ASKING_LEASE_SECONDS: '3' },
    log: line => void log.push(line),
  })
  /** Resolves when the log has a line with these words. */
  const logged = async (words: string) => {
    await expect.poll(() => log.some(line => line.includes(words))).toBe(true)
  }
  return { ...portal, database, upstream, logged }
}

async function asked(person: Person, text: string): Promise<Chat> {
  const chat = await person.chat(question(text, { new_title: text }))
  await chat.until(bringsText)
  return chat
}

async function answerOf(person: Person, chat: Chat): Promise<string> {
  const { mapping, current_node } = await person.result<ConversationHistory>(
    'GET',
    `/conv/${String(chat.frames[0]?.['conversation_id'])}`,
  )
  return textOf(mapping[current_node ?? ''] ?? { content: null })
}

describe('an answer that ends while the database is away', () => {
  test('is stored when it is back soon, and whole', async () => {
    const { person, database, upstream, logged } = await aPortal()
    const lin = await person()
    const chat = await asked(lin, 'hello')
    database.cut()
    upstream.answer('hello')
    // Whole here, and not stored. The log names a database that is away once, whatever fails of it.
    await expect.poll(() => textOfFrames(chat.frames)).toBe('first answer')
    await logged('the database cannot be reached')
    database.mend()
    expect(await chat.until(frame => frame.type === 'finished')).toMatchObject({
      type: 'finished',
      outcome: 'finished',
      charged: true,
    })
    await expect.poll(() => answerOf(lin, chat).catch(() => null)).toBe('first answer')
    expect(textOfFrames(chat.frames)).toBe('first answer')
  })

  test('is told of after a while, stored whole when it is back at last, and leaves nobody stuck, however busy the server is', async () => {
    const { person, admin, database, upstream } = await aPortal()
    const [lin, mei] = [await person(), await person()]
    const chat = await asked(lin, 'hello')
    const other = await asked(mei, 'long')
    database.cut()
    upstream.answer('hello')
    expect(await chat.until(frame => frame.type === 'error')).toMatchObject({ tip: 'errors.databaseUnreachable' })
    expect(await lin.call('GET', '/conv')).toMatchObject({ code: -1, message: 'errors.databaseUnreachable' })
    database.mend()
    await expect.poll(() => answerOf(lin, chat).catch(() => null)).toBe('first answer')
    upstream.letGo()
    expect(await other.until(frame => frame.type === 'finished')).toMatchObject({ outcome: 'finished' })
    expect((await lin.ask('again', { new_title: 'again' })).at(-1)).toMatchObject({
      type: 'finished',
      outcome: 'finished',
    })
    expect(await admin.result('GET', '/status/common')).toMatchObject({ chatbot_waiting_count: 0 })
  })
})
