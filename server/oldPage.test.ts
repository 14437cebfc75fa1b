import { describe, expect, test } from 'vitest'
import type { UserReadAdmin } from '#contract/users.ts'
import { SECTIONS } from '#contract/configuration/configuration.ts'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import { newId } from '#server/foundation/ids.ts'
import { eachStorage } from '#testing/database.ts'
import { question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

type Sections = Record<string, Record<string, unknown>>

/** The lists that the form of an older client knows; in place of any other it sends an object. */
const KNOWN_LISTS = ['enabled_models', 'cors_allow_origins', 'request_stats_filter_keywords']

/** What that form makes of a configuration that it was given. */
function throughItsForm(given: Sections): Sections {
  const valueOf = (key: string, value: unknown) => (Array.isArray(value) && !KNOWN_LISTS.includes(key) ? {} : value)
  const formed = (values: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, valueOf(key, value)]))
  return Object.fromEntries(
    Object.entries(given).map(([name, values]) => [
      name,
      typeof values === 'object' && !Array.isArray(values) ? formed(values) : (valueOf(name, values) as never),
    ]),
  )
}

eachStorage((_name, storage) => {
  describe('the page of an older client', () => {
    test('saves its configuration form as it was given it, and with a change', async () => {
      const { admin } = await startPortal({ storage: await storage() })
      const before = await admin.result<Sections>('GET', '/system/config')
      const form = throughItsForm(before)
      expect(await admin.call('PUT', '/system/config', form)).toEqual({
        code: 200,
        message: 'tips.requestSuccess',
        result: before,
      })
      const after = await admin.result<Sections>('PUT', '/system/config', {
        ...form,
        openai_api: { ...form['openai_api'], read_timeout: 33 },
      })
      for (const section of Object.keys(SECTIONS)) {
        expect(after[section]).toEqual(
          section === 'openai_api' ? { ...before[section], read_timeout: 33 } : before[section],
        )
      }
      expect(
        await admin.call('PUT', '/system/credentials', { openai_web_access_token: '', openai_api_key: '' }),
      ).toMatchObject({ code: 200 })
    })

    test('edits the first administrator by sending back all of the account', async () => {
      const { admin } = await startPortal({ storage: await storage() })
      const [account] = await admin.result<UserReadAdmin[]>('GET', '/user')
      expect(account).toMatchObject({
        avatar: null,
        remark: null,
        email: expect.stringMatching(/^[\w.]+@\w+\.\w{2,4}$/),
      })
      const edited = { ...account, nickname: '管理员', remark: 'the first', password: '' }
      expect(await admin.result('PATCH', `/user/${account?.id}`, edited)).toMatchObject({
        nickname: '管理员',
        remark: 'the first',
        email: account?.email,
      })
      expect(await admin.call('PATCH', `/user/${account?.id}/setting`, account?.setting)).toMatchObject({ code: 200 })
      expect(await admin.call('GET', '/user/me')).toMatchObject({ code: 200 })
    })

    test('shows why it is refused: the result is a line of text or nothing', async () => {
      const { admin, person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const refused = [
        await lin.call('GET', '/conv/seven'),
        await lin.call('PATCH', '/user/me', { is_superuser: true, email: 'x' }),
        await lin.call('POST', '/logs/server', 5),
        await admin.call('PUT', '/system/config', { asking: { max_queue_length: 0 } }),
        await admin.call('POST', '/auth/register', {}),
        await lin.call('GET', `/conv/${newId()}`),
      ]
      for (const { code, message, result } of refused) {
        expect([code, message.startsWith('errors.'), typeof result === 'string' || result === null]).toEqual([
          expect.any(Number),
          true,
          true,
        ])
      }
      expect(refused[1]).toMatchObject({ result: expect.stringContaining('body.email'), detail: expect.any(Array) })
    })

    test('draws what was imported of the web service, in a conversation that goes on with the API', async () => {
      const { person } = await startPortal({ storage: await storage() })
      const lin = await person()
      const TIME = '2026-03-02T10:00:00.000Z'
      const said = (id: string, parent: string | null, role: string, parts: string[], metadata: unknown = null) => ({
        id,
        parent,
        role,
        author_name: null,
        model: role === 'assistant' ? 'gpt_4' : null,
        create_time: TIME,
        content: { content_type: 'text', parts },
        metadata,
      })
      const messages = [said('q', null, 'user', ['热泵？']), said('a', 'q', 'assistant', ['四年。'])]
      const conversations = [
        {
          id: 'one',
          title: '热泵',
          create_time: TIME,
          update_time: TIME,
          current_node: 'a',
          current_model: 'gpt_4',
          messages,
        },
      ]
      await lin.result('POST', '/conv/import', { conversations })
      const [{ conversation_id } = { conversation_id: null }] = await lin.result<ConversationRecord[]>('GET', '/conv')
      const { current_node } = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
      const goesOn = question('and then?', { new_conversation: false, conversation_id, parent: current_node })
      expect((await (await lin.chat(goesOn, null)).closed).code).toBe(1000)
      const { mapping } = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
      const shown = Object.values(mapping).map(({ source, role, content, metadata }) => ({
        source,
        role,
        in: Object.keys(content ?? {}).at(-1),
        of: metadata?.source,
      }))
      expect(shown).toEqual([
        { source: 'openai_web', role: 'user', in: 'parts', of: 'openai_web' },
        { source: 'openai_web', role: 'assistant', in: 'parts', of: 'openai_web' },
        { source: 'openai_api', role: 'user', in: 'text', of: 'openai_api' },
        { source: 'openai_api', role: 'assistant', in: 'text', of: 'openai_api' },
      ])
      expect(Object.values(mapping)[1]?.metadata).toMatchObject({ recipient: 'all', end_turn: true })
    })
  })
})
