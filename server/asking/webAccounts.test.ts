import { expect, test } from 'vitest'
import type { ConversationHistory } from '#contract/conversations.ts'
import { conversationStore } from '#server/conversations/store.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Provider } from '#server/providers/provider.ts'
import { anAnswer } from '#testing/asks.ts'
import { eachStorage } from '#testing/database.ts'
import { question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { until } from '#testing/until.ts'
import { removeUpstream, storedUpstream } from '#testing/upstreams.ts'

const WEB = { source: 'openai_web', model: 'gpt_4' } as const
const FIRST = 'http://first.example.org/'

/** Accounts of which the first one dies in the middle of its first answer. */
const dying: Provider = {
  async reply({ upstream: { base_url }, question: { reply_id } }, emit) {
    emit({ type: 'conversation', upstream_conversation_id: `theirs ${reply_id}` })
    const content = { content_type: 'text' as const, parts: ['Half of'] }
    const metadata = { source: 'openai_web' as const }
    emit({ type: 'message', message: { ...anAnswer(reply_id, ''), source: 'openai_web', content, metadata } })
    if (base_url === FIRST) throw new Refusal('httpError')
    emit({ type: 'text', text: ' an answer' })
  },
  readConversation: () => Promise.reject(new Refusal('httpError')),
}

eachStorage((_name, storage) => {
  test('of two web accounts one dies in the middle of an answer: what came is kept, the next conversation goes to the other', async () => {
    const { app, person } = await startPortal({
      storage: await storage(),
      environment: { COMMONS_OPENAI_WEB_ENABLED: 'true', COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: FIRST },
      providers: { openai_web: dying },
    })
    const [first, lin] = [app.services.upstreams.ofSettings('openai_web').id, await person()]
    const second = await storedUpstream(app, { source: 'openai_web', base_url: 'http://second.example.org/' })
    const ask = async () => {
      const frames = await lin.ask('hello', { ...WEB, new_title: 'x' })
      const id = String(frames[0]?.['conversation_id'])
      const row = await conversationStore(app.services.open.database).find(id)
      return {
        id,
        upstream_id: row?.upstream_id,
        end: frames.find(({ type }) => type === 'finished' || type === 'error'),
      }
    }
    const broken = await ask()
    expect(broken).toMatchObject({ upstream_id: first, end: { type: 'error', tip: 'errors.httpError', charged: true } })
    expect(await ask()).toMatchObject({ upstream_id: second, end: { outcome: 'finished' } })

    const read = () => lin.result<ConversationHistory>('GET', `/conv/${broken.id}`)
    const { mapping, current_node, stored_copy } = await read()
    expect(stored_copy).toBe('errors.httpError')
    expect(mapping[current_node ?? '']).toMatchObject({
      content: { parts: ['Half of'] },
      metadata: { ending: 'failed', failure: { tip: 'errors.httpError', charged: true } },
    })
    // The first account is that of the settings, which is never removed.
    await conversationStore(app.services.open.database).change(broken.id, { upstream_id: second })
    await removeUpstream(app, second)
    await until(() => expect(app.services.upstreams.find(second)).toBe(null))
    expect(await read()).toMatchObject({ read_only: 'errors.upstreamGone', stored_copy: 'errors.upstreamGone' })
    const there = { ...WEB, new_conversation: false, conversation_id: broken.id, parent: current_node }
    expect(await (await lin.chat(question('more', there))).closed).toEqual({
      code: 1008,
      reason: 'errors.upstreamGone',
    })
  })
})
