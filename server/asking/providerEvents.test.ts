import { describe, expect, test } from 'vitest'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import type { Message } from '#contract/messages.ts'
import type { Provider, ProviderAsk } from '#server/providers/provider.ts'
import { conversationStore } from '#server/conversations/store.ts'
import { anAnswer } from '#testing/asks.ts'
import { eachStorage } from '#testing/database.ts'
import { type Frame, question } from '#testing/person.ts'
import { aPlugin } from '#testing/plugins.ts'
import { startPortal } from '#testing/portal.ts'
import { changeUpstream, coolUpstream, removeUpstream, storedUpstream } from '#testing/upstreams.ts'
import { until } from '#testing/until.ts'

const ENVIRONMENT = {
  COMMONS_OPENAI_WEB_ENABLED: 'true',
  COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: 'http://web.example.org/',
}
const PLUGINS = ['plugin-1']
/** The ids of the web service, for its first answer and its second. */
const idOf = (message: 1 | 2 | 3, answer: 1 | 2 = 1) => `0000000${message}-0000-4000-8000-00000000000${answer}`

/** A message of the web service: in parts, under an id of its own, without a parent. */
const ofTheWeb = (id: string, fields: Partial<Message>): Message => ({
  ...anAnswer(id, ''),
  source: 'openai_web',
  metadata: { source: 'openai_web' },
  ...fields,
})
const said = (text: string): Message['content'] => ({ content_type: 'text', parts: [text] })
const repeated = { ...ofTheWeb('', { role: 'user', content: said('echo') }) }
const code = ofTheWeb(idOf(1), { content: { content_type: 'code', language: 'python', text: '' } })
const output = ofTheWeb(idOf(2), { role: 'tool', content: { content_type: 'execution_output', text: '42' } })
const answer = ofTheWeb(idOf(3), { content: said('') })
const settled = { ...answer, content: said('It is 42.'), metadata: { source: 'openai_web', end_turn: true } } as const

/** A source that keeps its conversations itself and answers in several messages. */
function webService(end: (emit: Parameters<Provider['reply']>[1]) => void = () => undefined) {
  const asked: ProviderAsk[] = []
  const provider: Provider = {
    listInstalledPlugins: () => Promise.resolve(PLUGINS.map(aPlugin)),
    async reply(ask, emit) {
      asked.push(ask)
      const nth = String(asked.length)
      const named = (message: Message): Message => ({ ...message, id: message.id.slice(0, -1) + nth })
      emit({ type: 'conversation', upstream_conversation_id: 'their conversation' })
      emit({ type: 'message', message: { ...repeated, id: ask.thread.at(-1)?.id ?? '' } })
      emit({ type: 'message', message: named(code) })
      emit({ type: 'text', text: '6 * 7' })
      emit({ type: 'message', message: named(output) })
      emit({ type: 'message', message: named(answer) })
      for (const text of ['It ', 'is ', '42.']) emit({ type: 'text', text })
      emit({ type: 'message', message: named(settled) })
      emit({ type: 'title', title: 'Their title' })
      end(emit)
    },
  }
  return { asked, provider }
}

const ask = { source: 'openai_web', model: 'gpt_4_plugins', openai_web_plugin_ids: PLUGINS } as const
const messagesOf = (frame: Frame | undefined) => frame?.['messages'] as Message[] // of the end of an ask

eachStorage((_name, storage) => {
  describe('an answer of several messages, of a source that keeps conversations itself', () => {
    async function aWebPortal(web = webService()) {
      const portal = await startPortal({
        storage: await storage(),
        environment: ENVIRONMENT,
        providers: { openai_web: web.provider },
      })
      return { ...portal, web, lin: await portal.person() }
    }

    test('is stored as it came, each message behind the one before it, and told at the end', async () => {
      const { lin } = await aWebPortal()
      const frames = await lin.ask('What is 6 * 7?', ask)
      const [accepted] = frames
      const end = frames.find(frame => frame.type === 'finished')
      const asked = (accepted?.['question'] as Message | undefined)?.id // of its event
      expect(end).toMatchObject({ outcome: 'finished', charged: true, conversation: { source: 'openai_web' } })
      expect(messagesOf(end)).toMatchObject([
        { id: idOf(1), parent: asked, content: { content_type: 'code', language: 'python', text: '6 * 7' } },
        { id: idOf(2), role: 'tool', parent: idOf(1), content: { content_type: 'execution_output', text: '42' } },
        { id: idOf(3), parent: idOf(2), content: { content_type: 'text', parts: ['It is 42.'] } },
      ])
      const { mapping, current_node } = await lin.result<ConversationHistory>(
        'GET',
        `/conv/${String(frames[0]?.['conversation_id'])}`,
      )
      expect(current_node).toBe(idOf(3))
      expect(Object.keys(mapping)).toEqual([asked, idOf(1), idOf(2), idOf(3)])
      expect(mapping[idOf(3)]).toMatchObject({ content: said('It is 42.'), metadata: { end_turn: true } })
      expect(
        (await lin.result<{ results: { message_id: string }[] }>('GET', '/conv/search?words=42')).results,
      ).toMatchObject(expect.arrayContaining([expect.objectContaining({ message_id: idOf(3) })]))
    })

    test('is told whole to whoever comes back, wherever it is followed, with the title from there', async () => {
      const { lin } = await aWebPortal()
      const frames = await lin.ask('What is 6 * 7?', ask)
      expect(frames.at(-1)).toEqual({ type: 'title', title: 'Their title' })
      const [record] = await lin.result<ConversationRecord[]>('GET', '/conv')
      expect(record?.title).toBe('Their title')
      for (const after of [0, 3, 1_000]) {
        const again = await lin.chat({ resume: frames[0]?.['ask_id'], after })
        expect(messagesOf(await again.until(frame => frame.type === 'finished')).map(({ id }) => id)).toEqual([
          idOf(1),
          idOf(2),
          idOf(3),
        ])
      }
    })

    test('is continued in the conversation of the upstream, which is asked with all that the ask has', async () => {
      const { lin, app, web } = await aWebPortal()
      const [accepted] = await lin.ask('What is 6 * 7?', ask)
      const conversation_id = String(accepted?.['conversation_id'])
      await lin.ask('Again', {
        ...ask,
        new_conversation: false,
        conversation_id,
        parent: idOf(3),
        arkose_token: 'token',
      })
      const again = { new_conversation: false, conversation_id, parent: idOf(3, 2), text_content: ':continue' }
      await lin.ask(':continue', { ...ask, ...again })
      expect(web.asked.map(({ question }) => question)).toMatchObject([
        { upstream_conversation_id: null, continues: false, extras: { plugin_ids: PLUGINS, arkose_token: null } },
        {
          upstream_conversation_id: 'their conversation',
          continues: false,
          extras: { plugin_ids: [], arkose_token: 'token' },
        },
        { upstream_conversation_id: 'their conversation', continues: true, parent: idOf(3, 2) },
      ])
      expect(await conversationStore(app.services.open.database).find(conversation_id)).toMatchObject({
        upstream_conversation_id: 'their conversation',
        upstream_id: app.services.upstreams.ofSettings('openai_web').id,
      })
    })

    test('reaches old clients message by message, the repeated question too', async () => {
      const { lin } = await aWebPortal()
      const chat = await lin.chat(question('What is 6 * 7?', ask), null)
      expect(await chat.closed).toMatchObject({ code: 1000 })
      const last = new Map(
        chat.frames
          .filter(frame => frame.type === 'message')
          .map(frame => [(frame['message'] as Message).id, frame['message'] as Message]), // of a message frame
      )
      const shown = [...last.values()].filter(({ content }) => content !== null)
      expect(shown.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
      expect(chat.frames.at(-1)?.['message']).toMatchObject({ title: 'Their title', content: null })
      expect(last.get(idOf(3))).toMatchObject({ content: said('It is 42.'), metadata: { end_turn: true } })
    })

    test('is not continued when its account is gone, which its record and its history say', async () => {
      const { lin, app, web } = await aWebPortal()
      const id = await storedUpstream(app, { source: 'openai_web' })
      await changeUpstream(app, app.services.upstreams.ofSettings('openai_web').id, { paused_since: 1 })
      await until(() =>
        expect(app.services.upstreams.serving('openai_web', 'gpt_4').map(each => each.id)).toEqual([id]),
      )
      const [accepted] = await lin.ask('What is 6 * 7?', ask)
      const conversation_id = String(accepted?.['conversation_id'])
      const readOnly = async () => [
        (await lin.result<ConversationRecord[]>('GET', '/conv'))[0]?.read_only,
        (await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)).read_only,
      ]
      const again = { ...ask, new_conversation: false, conversation_id, parent: idOf(3) }
      expect(await readOnly()).toEqual([undefined, undefined])
      await removeUpstream(app, id)
      await until(() => expect(app.services.upstreams.find(id)).toBe(null))
      expect(await readOnly()).toEqual(['errors.upstreamGone', 'errors.upstreamGone'])
      const refused = await lin.chat(question('Again', again))
      expect(await refused.closed).toEqual({ code: 1008, reason: 'errors.upstreamGone' })
      expect(web.asked).toHaveLength(1)
    })

    test('waits while its account cools and another one does not, and gets the time', async () => {
      const { lin, app } = await aWebPortal()
      const first = app.services.upstreams.ofSettings('openai_web').id
      const [accepted] = await lin.ask('What is 6 * 7?', ask)
      await storedUpstream(app, { source: 'openai_web' })
      const cooling_until = await coolUpstream(app, first)
      const again = {
        ...ask,
        new_conversation: false,
        conversation_id: String(accepted?.['conversation_id']),
        parent: idOf(3),
      }
      const chat = await lin.chat(question('Again', again))
      expect(await chat.until(frame => frame.type === 'queueing')).toMatchObject({
        place: 1,
        cooling_until: new Date(cooling_until).toISOString(),
      })
      await changeUpstream(app, first, {
        health: 'normal',
        cooling_until: null,
        health_reason: null,
        health_since: null,
      })
      expect(await chat.until(frame => frame.type === 'finished')).toMatchObject({ outcome: 'finished' })
    })

    test('that breaks off keeps what came, with its reason', async () => {
      const web = webService(() => {
        throw new Error('unexpected')
      })
      const { lin } = await aWebPortal(web)
      const end = (await lin.ask('What is 6 * 7?', ask)).find(frame => frame.type === 'error')
      expect(end).toMatchObject({ tip: 'errors.unknownError', charged: true })
      expect(messagesOf(end).map(({ id }) => id)).toEqual([idOf(1), idOf(2), idOf(3)])
      expect(messagesOf(end).map(({ metadata }) => metadata?.ending)).toEqual([undefined, undefined, 'failed'])
    })
  })
})
