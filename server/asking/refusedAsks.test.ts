import { describe, expect, test } from 'vitest'
import { AskRequest, MAX_TEXT_LENGTH } from '#contract/asking.ts'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import type { Provider } from '#server/providers/provider.ts'
import { anAnswer } from '#testing/asks.ts'
import { eachStorage } from '#testing/database.ts'
import { type Person, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { MAX_PAYLOAD } from './socket.ts'

const OF_WEB = { source: 'openai_web', model: 'gpt_3_5' } as const

const aWebAccount: Provider = {
  reply({ question: { reply_id } }, emit) {
    const metadata = { source: 'openai_web' as const }
    emit({ type: 'message', message: { ...anAnswer(reply_id, 'Yes.'), source: 'openai_web', metadata } })
    return Promise.resolve()
  },
}

async function refused(person: Person, first: unknown): Promise<string> {
  const chat = await person.chat(first)
  await chat.closed
  expect(chat.frames.map(frame => frame.type)).toEqual(['error'])
  return String(chat.frames[0]?.['tip'])
}

const limited = (total_ask_count: number) => ({ openai_api: { total_ask_count } })

describe('bad input', () => {
  test('is refused, changes nothing and reaches no upstream', async () => {
    const { person, simulator } = await startPortal()
    const lin = await person()
    const valid = question('hello')
    const bad: unknown[] = [
      'not json',
      '[]',
      'null',
      '"text"',
      '{',
      '1e400',
      `${'['.repeat(10_000)}`,
      { ...valid, model: 7 },
      { ...valid, text_content: '' },
      { ...valid, text_content: 5 },
      { ...valid, source: 'else' },
      { ...valid, new_conversation: 'yes' },
      { source: 'openai_api' },
      { ...valid, api_context_message_count: 1001 },
      { ...valid, api_context_message_count: 1.5 },
      { ...valid, api_context_message_count: '5' },
      { ...valid, parent: crypto.randomUUID() },
      { ...valid, conversation_id: crypto.randomUUID() },
      { ...valid, new_conversation: false },
      { ...valid, text_content: 'x'.repeat(256_001) },
      { ...valid, ask_id: '../../etc' },
      { ...valid, new_title: 'two\nlines' },
      { resume: 'x', after: 0 },
      { ...valid, openai_web_plugin_ids: Array.from({ length: 51 }, String) },
    ]
    for (const first of bad)
      expect(await refused(lin, first), JSON.stringify(first).slice(0, 80)).toBe('errors.invalidAskRequest')
    expect(await lin.result('GET', '/conv')).toEqual([])
    expect(simulator.journal).toEqual([])
  })

  test('is told which fields are missing or wrong, old clients in words', async () => {
    const { person } = await startPortal()
    const lin = await person()
    const valid = question('hello')
    const follows = { new_conversation: false, parent: crypto.randomUUID(), conversation_id: crypto.randomUUID() }
    const wrong: [object, string][] = [
      [{ ...valid, ...follows, conversation_id: undefined }, 'conversation_id'],
      [{ ...valid, ...follows, conversation_id: 'x' }, 'conversation_id'],
      [{ ...valid, ...follows, parent: null }, 'parent'],
      [{ ...valid, ...follows, new_title: 'a title' }, 'new_title'],
      [{ ...valid, conversation_id: crypto.randomUUID() }, 'conversation_id'],
      [{ ...valid, model: undefined }, 'model'],
      [{ ...valid, source: 'else', text_content: 5 }, 'source, text_content'],
      [{ text_content: 'hello' }, 'source, model, new_conversation'],
      [{ ...valid, openai_web_attachments: [{ id: 7 }] }, 'openai_web_attachments.0'],
    ]
    for (const [first, fields] of wrong) {
      const chat = await lin.chat(first)
      await chat.closed
      expect(String(Object(chat.frames[0]?.['values'])['field'])).toContain(fields)
      const old = await lin.chat(first, null)
      expect(await old.closed).toEqual({ code: 1007, reason: 'errors.invalidAskRequest' })
      expect(old.frames[0]?.['error_detail']).toContain(`The question is incomplete or not valid. (field: ${fields}`)
    }
  })

  test('with nothing but blanks is told that it says nothing', async () => {
    const { person, simulator } = await startPortal()
    const lin = await person()
    for (const blank of [' ', '\n\t \u3000', '\u00a0'])
      expect(await refused(lin, question(blank))).toBe('errors.missingMessage')
    expect(await lin.result('GET', '/conv')).toEqual([])
    expect(simulator.journal).toEqual([])
  })

  test('is not what is as long as may be, and all of it written in escapes', () => {
    const text = JSON.stringify(question('?')).replace('"?"', `"${'\\u6c49'.repeat(MAX_TEXT_LENGTH)}"`)
    expect(text.length).toBeLessThan(MAX_PAYLOAD)
    expect(AskRequest.parse(JSON.parse(text)).text_content).toHaveLength(MAX_TEXT_LENGTH)
  })

  test('with an unknown model is told so', async () => {
    const { person } = await startPortal()
    expect(await refused(await person(), question('hello', { model: 'gpt_99' }))).toBe('errors.modelNotEnabled')
  })

  test('with a source that is not offered is told so', async () => {
    const { person } = await startPortal()
    expect(await refused(await person(), question('hello', { source: 'openai_web' }))).toBe('errors.chatTypeNotEnabled')
  })
})

eachStorage((_name, storage) => {
  describe('somebody else’s conversation', () => {
    test('is as unknown as one that does not exist, to every call and to an ask', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      const [lin, mei] = [await person(), await person()]
      const conversation_id = String((await lin.ask('mine', { new_title: 'mine' }))[0]?.['conversation_id'])
      const { current_node } = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
      const asked = simulator.journal.length
      for (const id of [conversation_id, crypto.randomUUID()]) {
        const follow = { new_conversation: false, conversation_id: id, parent: current_node }
        expect(await refused(mei, question('hello', follow))).toBe('errors.conversationNotFound')
        for (const [method, path] of [
          ['GET', ''],
          ['GET', '/cache'],
          ['DELETE', ''],
          ['PATCH', '?title=stolen'],
          ['PATCH', `/gen_title?message_id=${current_node}`],
          ['POST', '/restore'],
        ] as const) {
          expect(await mei.call(method, `/conv/${id}${path}`)).toEqual({
            code: -1,
            message: 'errors.conversationNotFound',
            result: null,
          })
        }
      }
      expect(simulator.journal.length).toBe(asked)
      expect((await lin.result<ConversationRecord[]>('GET', '/conv'))[0]).toMatchObject({
        title: 'mine',
        is_valid: true,
      })
    })

    test('lends no parent to an ask of one’s own', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const ids = []
      for (const text of ['one', 'two'])
        ids.push(String((await lin.ask(text, { new_title: text }))[0]?.['conversation_id']))
      const other = await lin.result<ConversationHistory>('GET', `/conv/${ids[1]}`)
      expect(
        await refused(
          lin,
          question('hello', { new_conversation: false, conversation_id: ids[0], parent: other.current_node }),
        ),
      ).toBe('errors.messageNotFound')
    })
  })

  describe('a deleted conversation', () => {
    test('leaves the list, cannot be asked in, and comes back when the deletion is taken back', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const conversation_id = String((await lin.ask('mine', { new_title: 'mine' }))[0]?.['conversation_id'])
      const { current_node } = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
      expect(await lin.call('DELETE', `/conv/${conversation_id}`)).toEqual({ code: 200, message: '', result: null })
      expect(await lin.call('DELETE', `/conv/${conversation_id}`)).toMatchObject({
        message: 'errors.conversationAlreadyDeleted',
      })
      expect(await lin.result('GET', '/conv')).toEqual([])
      expect(
        await refused(lin, question('hello', { new_conversation: false, conversation_id, parent: current_node })),
      ).toBe('errors.conversationNotFound')
      expect(await lin.result('POST', `/conv/${conversation_id}/restore`)).toMatchObject({ is_valid: true })
      expect(await lin.result('GET', '/conv')).toHaveLength(1)
    })
  })

  describe('a conversation of the team account', () => {
    test('is closed to whoever may not use the team, and open to whoever may', async () => {
      const { person, app } = await startPortal({
        storage: await storage(),
        environment: { COMMONS_OPENAI_WEB_ENABLED: 'true', COMMONS_OPENAI_WEB_ENABLE_TEAM_SUBSCRIPTION: 'true' },
        providers: { openai_web: aWebAccount },
      })
      const { database } = app.services.open
      const lin = await person()
      const conversation_id = String((await lin.ask('ours', { ...OF_WEB, new_title: 'ours' }))[0]?.['conversation_id'])
      await database
        .updateTable('conversations')
        .set({ source_id: 'team-1' })
        .where('conversation_id', '=', conversation_id)
        .execute()
      const { current_node } = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
      const follow = { ...OF_WEB, new_conversation: false, conversation_id, parent: current_node }
      const mayUseTeam = (use_team: boolean) =>
        database.updateTable('user_source_settings').set({ use_team }).where('user_id', '=', lin.id).execute()
      await mayUseTeam(false)
      expect(await refused(lin, question('more', follow))).toBe('errors.teamConversationNotAllowed')
      await mayUseTeam(true)
      expect((await lin.ask('more', follow)).at(-1)).toMatchObject({ type: 'finished' })
    })
  })

  describe('one ask at a time', () => {
    test('holds for two asks of the same millisecond', async () => {
      const { person, simulator } = await startPortal({ storage: await storage() })
      simulator.setPace(20)
      const lin = await person()
      const chats = await Promise.all(
        ['a', 'b', 'c'].map(text => lin.chat(question(`/simulate tokens=400 ${text}`, { new_title: text }))),
      )
      const outcomes = await Promise.all(
        chats.map(chat => chat.until(frame => frame.type === 'error' || frame.type === 'waiting')),
      )
      expect(outcomes.filter(frame => frame.type === 'waiting')).toHaveLength(1)
      expect(outcomes.filter(frame => frame['tip'] === 'errors.cannotConnectMoreThanOneClient')).toHaveLength(2)
      for (const chat of chats) chat.send({ stop: true })
      await Promise.all(chats.map(chat => chat.closed))
      simulator.setPace(0)
      expect((await lin.ask('again', { new_title: 'again' })).some(frame => frame.type === 'finished')).toBe(true)
      expect(await lin.result('GET', '/conv')).toHaveLength(2)
    })
  })

  describe('a bounded number of asks', () => {
    test('is reserved, used up by answers and refused when nothing is left', async () => {
      const { person, admin } = await startPortal({ storage: await storage() })
      const lin = await person()
      await admin.result('PATCH', `/user/${lin.id}/setting`, limited(1))
      expect((await lin.ask('one', { new_title: 'one' })).at(-1)).toMatchObject({ type: 'finished', charged: true })
      expect(await refused(lin, question('two'))).toBe('errors.noAvailableTotalAskCount')
      expect(await lin.result('GET', '/user/me')).toMatchObject({ setting: limited(0) })
    })

    test('is given back when no token came', async () => {
      const { person, admin, simulator } = await startPortal({ storage: await storage() })
      const lin = await person()
      await admin.result('PATCH', `/user/${lin.id}/setting`, limited(1))
      simulator.nextFault({ kind: 'status', status: 500 })
      expect((await lin.ask('one', { new_title: 'one' })).at(-1)).toMatchObject({
        type: 'error',
        tip: 'errors.openai.500',
        charged: false,
      })
      expect(await lin.result('GET', '/user/me')).toMatchObject({ setting: limited(1) })
      expect((await lin.ask('two', { new_title: 'two' })).at(-1)).toMatchObject({ type: 'finished' })
    })
  })
})

describe('an upstream that cannot be reached', () => {
  test('leaves its cause in the log, and nothing of what was asked', async () => {
    const lines: string[] = []
    const { person } = await startPortal({
      log: line => {
        lines.push(line)
      },
      environment: { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1/' },
    })
    const chat = await (await person()).chat(question('a question of mine'))
    await chat.closed
    const [line, ...others] = lines.filter(each => each.includes('an ask failed'))
    expect(others).toEqual([])
    expect(JSON.parse(line ?? '')).toMatchObject({
      refusal: 'httpError',
      err: { message: expect.stringContaining('connect') },
    })
    expect(lines.join('')).not.toContain('a question of mine')
  })
})
