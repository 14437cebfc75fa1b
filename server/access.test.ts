import { describe, expect, test } from 'vitest'
import type { Access, Call } from '#contract/call.ts'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import { answeredCalls } from '#testing/calls.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { callApi, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

type Who = 'nobody' | 'an old session' | 'a person' | 'a superuser'

/** The refusal at the door, or none: then the call itself decides. */
const POLICY: Record<Access, Record<Who, string | null>> = {
  anyone: { nobody: null, 'an old session': null, 'a person': null, 'a superuser': null },
  user: {
    nobody: 'errors.userNotLogin',
    'an old session': 'errors.loginExpired',
    'a person': null,
    'a superuser': null,
  },
  superuser: {
    nobody: 'errors.userNotLogin',
    'an old session': 'errors.loginExpired',
    'a person': 'errors.authorityDeny',
    'a superuser': null,
  },
}
const AT_THE_DOOR = ['errors.userNotLogin', 'errors.loginExpired', 'errors.authorityDeny', 'errors.originNotAllowed']

/** Ids that nobody has, so that being let in changes nothing. */
function pathOf({ path }: Call): string {
  return path.replace(':user', '999999').replace(/:\w+/, path.startsWith('/conv') ? crypto.randomUUID() : '999999')
}

/** What is no valid body for any of them. */
const bodyOf = ({ body }: Call) => (body === null ? undefined : 'not a body')

const TYPES: Record<NonNullable<Call['bodyKind']>, Record<string, string>> = {
  json: {},
  form: { 'content-type': 'application/x-www-form-urlencoded' },
  file: { 'content-type': 'multipart/form-data; boundary=edge' },
  parts: { 'content-type': 'multipart/form-data; boundary=edge' },
  content: { 'content-type': 'application/pdf' },
}
const typeOf = ({ bodyKind = 'json' }: Call): Record<string, string> => TYPES[bodyKind]

describe('every call', () => {
  test('lets in whom its access names, and nobody else', async () => {
    const { app, url, admin, person } = await startPortal()
    const lin = await person()
    const gone = await person()
    const cookies: Record<Who, string> = {
      nobody: '',
      'an old session': gone.cookie,
      'a person': lin.cookie,
      'a superuser': admin.cookie,
    }
    await gone.call('POST', '/auth/logout')
    const calls = answeredCalls(app.http.answered)
    expect(calls.length).toBe(app.http.answered.size)
    const table: string[] = []
    const expected: string[] = []
    for (const { name, call } of calls) {
      // These end the session or everything of the person who makes them; signIn.test.ts and asking.test.ts have them.
      const harmless = !['logout', 'deleteAllConversations'].includes(name)
      for (const [who, cookie] of Object.entries(cookies) as [Who, string][]) {
        if (!harmless && cookie !== '' && who !== 'an old session') continue
        const { message } = await callApi(url, cookie, call.method, pathOf(call), bodyOf(call), typeOf(call))
        table.push(`${name} by ${who}: ${AT_THE_DOOR.includes(message) ? message : 'let in'}`)
        expected.push(`${name} by ${who}: ${POLICY[call.access][who] ?? 'let in'}`)
      }
    }
    expect(table).toEqual(expected)
  })

  test('that changes something is refused from another origin, even with a session', async () => {
    const { app, url, admin } = await startPortal()
    const changing = answeredCalls(app.http.answered).filter(({ call }) => call.method !== 'GET')
    expect(changing.length).toBeGreaterThan(10)
    for (const { call } of changing) {
      const headers = { origin: 'https://evil.example', ...typeOf(call) }
      const { message } = await callApi(url, admin.cookie, call.method, pathOf(call), bodyOf(call), headers)
      expect(message, `${call.method} ${call.path}`).toBe('errors.originNotAllowed')
    }
  })
})

/** Lin has a conversation, and Mei wants it. */
async function aConversation(storage: NewStorage) {
  const portal = await startPortal({ storage: await storage() })
  const [lin, mei] = [await portal.person(), await portal.person()]
  const id = String((await lin.ask('mine', { new_title: 'mine' }))[0]?.['conversation_id'])
  const history = await lin.result<ConversationHistory>('GET', `/conv/${id}`)
  const expectUntouched = async () => {
    expect(await lin.result<ConversationHistory>('GET', `/conv/${id}`)).toEqual(history)
    expect(await lin.result<ConversationRecord[]>('GET', '/conv')).toMatchObject([
      { conversation_id: id, title: 'mine', is_valid: true },
    ])
    expect(await mei.result('GET', '/conv')).toEqual([])
    expect(portal.simulator.journal).toHaveLength(1)
  }
  return { ...portal, lin, mei, id, history, expectUntouched }
}

eachStorage((_name, storage) => {
  describe('somebody else’s conversation', () => {
    test('is answered like one that does not exist, to the byte, by every call that takes its id', async () => {
      const { app, mei, id, history, expectUntouched } = await aConversation(storage)
      const calls = answeredCalls(app.http.answered).filter(({ call }) => call.path.startsWith('/conv/:id'))
      expect(calls.length).toBeGreaterThan(6)
      for (const { name, call } of calls) {
        const query =
          { renameConversation: '?title=stolen', generateTitle: `?message_id=${history.current_node}` }[name] ?? ''
        const ask = (conversation_id: string) =>
          mei.call(call.method, call.path.replace(':id', conversation_id).replace(':user', String(mei.id)) + query)
        const foreign = await ask(id)
        expect(foreign.code, name).not.toBe(200)
        expect(foreign, name).toEqual(await ask(crypto.randomUUID()))
      }
      await expectUntouched()
    })

    test('cannot be asked in, nor can its messages be a parent', async () => {
      const { mei, id, history, expectUntouched } = await aConversation(storage)
      const asked = async (conversation_id: string, parent: string | null) => {
        const chat = await mei.chat(question('hello', { new_conversation: false, conversation_id, parent }))
        return { ...(await chat.closed), frames: chat.frames }
      }
      const foreign = await asked(id, history.current_node)
      expect(foreign).toMatchObject({ code: 1008, reason: 'errors.conversationNotFound' })
      expect(foreign).toEqual(await asked(crypto.randomUUID(), crypto.randomUUID()))
      await expectUntouched()
    })

    test('is not found by its words', async () => {
      const { lin, mei } = await aConversation(storage)
      expect(await lin.result('GET', '/conv/search?words=mine')).not.toMatchObject({ total: 0 })
      expect(await mei.result('GET', '/conv/search?words=mine')).toEqual({ results: [], total: 0 })
    })

    test('is theirs once an administrator has given it to them, and no longer the other one’s', async () => {
      const { admin, lin, mei, id, history } = await aConversation(storage)
      await admin.result('PATCH', `/conv/${id}/assign/${mei.id}`)
      expect(await lin.call('GET', `/conv/${id}`)).toMatchObject({ message: 'errors.conversationNotFound' })
      expect(await lin.result('GET', '/conv')).toEqual([])
      expect(await lin.result('GET', '/conv/search?words=mine')).toEqual({ results: [], total: 0 })
      expect(await mei.result('GET', `/conv/${id}`)).toEqual({ ...history, update_time: expect.any(String) })
      expect(await mei.result('GET', '/conv/search?words=mine')).not.toMatchObject({ total: 0 })
      const follow = { new_conversation: false, conversation_id: id, parent: history.current_node }
      expect((await mei.ask('go on', follow)).at(-1)).toMatchObject({ type: 'finished' })
    })

    test('stays with the portal when its owner is removed, and is nobody’s', async () => {
      const { admin, lin, mei, id, history } = await aConversation(storage)
      await admin.result('DELETE', `/user/${lin.id}`)
      expect(await lin.call('GET', '/conv')).toMatchObject({ code: 10401 })
      expect(await mei.call('GET', `/conv/${id}`)).toMatchObject({ message: 'errors.conversationNotFound' })
      expect(await admin.result('GET', `/conv/${id}`)).toEqual({ ...history, owner: null })
      expect(await admin.result('GET', '/conv/all')).toMatchObject([{ conversation_id: id, user_id: null }])
      await admin.result('DELETE', `/conv/${id}/vanish`)
      expect(await admin.result('GET', '/conv/all')).toEqual([])
    })
  })
})
