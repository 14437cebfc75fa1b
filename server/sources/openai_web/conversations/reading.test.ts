import { describe, expect, test } from 'vitest'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import type { Message } from '#contract/messages.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { UpstreamConversation } from '#server/providers/ports.ts'
import type { Provider } from '#server/providers/provider.ts'
import { anAnswer } from '#testing/asks.ts'
import { eachStorage } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'
import { until } from '#testing/until.ts'
import { coolUpstream, removeUpstream, storedUpstream } from '#testing/upstreams.ts'
import { conversationStore } from '#server/conversations/store.ts'

const ENVIRONMENT = { COMMONS_OPENAI_WEB_ENABLED: 'true' }
const WEB = { source: 'openai_web', model: 'gpt_4', new_title: 'Mine' } as const

const ofTheWeb = (id: string, text: string, fields: Partial<Message> = {}): Message => ({
  ...anAnswer(id, ''),
  source: 'openai_web',
  content: { content_type: 'text', parts: [text] },
  metadata: { source: 'openai_web', recipient: 'all', end_turn: true },
  ...fields,
})

/** A shared account whose conversations go on there as the test says. */
function webService() {
  const service = {
    /** What it has beyond the question and the answer. */
    more: [] as Message[],
    title: 'Theirs' as string | null,
    /** What reading a conversation rejects with; a list works all the same. */
    refuses: null as Refusal | null,
    lists: true,
    reads: 0,
  }
  let first: Message | null = null
  const provider: Provider = {
    async reply({ thread }, emit) {
      first = thread[0] ?? null
      emit({ type: 'conversation', upstream_conversation_id: 'theirs' })
      emit({ type: 'message', message: ofTheWeb('answer', 'An answer') })
    },
    readConversation: async (): Promise<UpstreamConversation> => {
      service.reads++
      if (service.refuses !== null) throw service.refuses
      const exchange = first === null ? [] : [first, ofTheWeb('answer', 'An answer', { parent: first.id })]
      const messages = [...exchange, ...service.more]
      return {
        title: service.title,
        create_time: 1,
        update_time: 2,
        messages,
        current_node: messages.at(-1)?.id ?? null,
        metadata: { source: 'openai_web', gizmo_id: 'gizmo' },
      }
    },
    listConversations: async () => {
      if (!service.lists) throw new Refusal('openai.404')
      return []
    },
    renameConversation: () => Promise.resolve(),
  }
  return { service, provider }
}

const MORE = [
  ofTheWeb('q2', 'Asked at the web service', { role: 'user', parent: 'answer' }),
  ofTheWeb('a2', 'Answered there about porcupines', { parent: 'q2', model: 'gpt_4' }),
]

eachStorage((_name, storage) => {
  async function aConversation(more: object = {}) {
    const { service, provider } = webService()
    const portal = await startPortal({
      storage: await storage(),
      environment: ENVIRONMENT,
      providers: { openai_web: provider },
    })
    const lin = await portal.person()
    const [accepted] = await lin.ask('Hello', { ...WEB, ...more })
    const conversation_id = String(accepted?.['conversation_id'])
    const read = (path = '') => lin.result<ConversationHistory>('GET', `/conv/${conversation_id}${path}`)
    const rowOf = () => conversationStore(portal.app.services.open.database).find(conversation_id)
    return { ...portal, lin, service, conversation_id, read, rowOf }
  }
  const textsOf = ({ mapping }: ConversationHistory) =>
    Object.values(mapping).map(({ content }) =>
      content?.content_type === 'text' ? (content.parts?.join('') ?? '') : '',
    )

  describe('the history of a conversation that the web service keeps', () => {
    test('has what went on there, which is stored, found and gone on from; its cache is what was stored before', async () => {
      const { lin, service, read } = await aConversation()
      service.more = MORE
      expect(textsOf(await read('/cache'))).toEqual(['Hello', 'An answer'])
      expect(service.reads).toBe(0)
      const history = await read()
      expect(textsOf(history)).toEqual([
        'Hello',
        'An answer',
        'Asked at the web service',
        'Answered there about porcupines',
      ])
      expect(history).toMatchObject({ current_node: 'a2', title: 'Mine', metadata: { gizmo_id: 'gizmo' } })
      expect(history.stored_copy).toBe(undefined)
      expect(textsOf(await read('/cache'))).toHaveLength(4)
      await until(async () =>
        expect(await lin.result('GET', '/conv/search?words=porcupines')).toMatchObject({ total: 1 }),
      )
    })

    test('takes the title from there unless somebody gave it one here', async () => {
      const { service, read, lin, conversation_id } = await aConversation({ new_title: '' })
      expect((await read()).title).toBe('Theirs')
      service.title = 'New chat'
      expect((await read()).title).toBe('Theirs')
      await lin.result('PATCH', `/conv/${conversation_id}?title=Ours`)
      service.title = 'Theirs again'
      expect((await read()).title).toBe('Ours')
    })

    test.each([
      ['openai.500', 'errors.openai.500'],
      ['upstreamTimeout', 'errors.upstreamTimeout'],
    ] as const)('is the stored copy when the service refuses with %s', async (key, stored_copy) => {
      const { service, read } = await aConversation()
      service.refuses = new Refusal(key)
      const history = await read()
      expect(history.stored_copy).toBe(stored_copy)
      expect(textsOf(history)).toEqual(['Hello', 'An answer'])
    })

    test('is the copy of a conversation that the account does not know, which stays its owner’s, and goes on when that knows it again', async () => {
      const { service, read, lin, rowOf } = await aConversation()
      service.refuses = new Refusal('openai.404')
      service.lists = false
      expect((await read()).stored_copy).toBe('errors.openai.404')
      expect(await rowOf()).toMatchObject({ is_valid: true, gone_upstream_time: null })
      service.lists = true
      expect(await read()).toMatchObject({
        stored_copy: 'errors.conversationGone',
        read_only: 'errors.conversationGone',
      })
      const since = (await rowOf())?.gone_upstream_time ?? 0
      const time = new Date(since).toISOString()
      expect(await lin.result('GET', '/conv')).toMatchObject([
        { is_valid: true, read_only: 'errors.conversationGone', gone_upstream: time },
      ])
      expect(textsOf(await read('/cache'))).toEqual(['Hello', 'An answer'])
      await read()
      expect((await rowOf())?.gone_upstream_time).toBe(since)
      service.refuses = null
      expect((await read()).read_only).toBe(undefined)
      const [record] = await lin.result<ConversationRecord[]>('GET', '/conv')
      expect([record?.read_only, record?.gone_upstream]).toEqual([undefined, undefined])
    })

    test('does not bring back what somebody deleted here', async () => {
      const { lin, admin, conversation_id, rowOf } = await aConversation()
      await lin.call('DELETE', `/conv/${conversation_id}`)
      await admin.result('GET', `/conv/${conversation_id}`)
      expect((await rowOf())?.is_valid).toBe(false)
    })

    test('is the copy while its account cools down, and when the account is gone, and says so', async () => {
      const { service, read, lin, app, rowOf } = await aConversation()
      const first = app.services.upstreams.ofSettings('openai_web').id
      const cooling_until = await coolUpstream(app, first)
      const until_time = new Date(cooling_until).toISOString()
      expect(await read()).toMatchObject({ stored_copy: 'errors.openai.429', cooling_until: until_time })
      expect(service.reads).toBe(0)
      const id = await storedUpstream(app, { source: 'openai_web' })
      const row = await rowOf()
      await conversationStore(app.services.open.database).change(row?.conversation_id ?? '', { upstream_id: id })
      await removeUpstream(app, id)
      await until(() => expect(app.services.upstreams.find(id)).toBe(null))
      expect(await read()).toMatchObject({ stored_copy: 'errors.upstreamGone', read_only: 'errors.upstreamGone' })
      const [record] = await lin.result<ConversationRecord[]>('GET', '/conv')
      expect(record).toMatchObject({ read_only: 'errors.upstreamGone' })
    })
  })
})
