import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { ConversationHistory } from '#contract/conversations.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { type Frame, type Person, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { rawUpstream } from '#testing/upstream.ts'

type Sent = { role: string; content: string }

const REFUSAL = {
  error: {
    message:
      "This model's maximum context length is 1000 tokens. However, your messages resulted in 1100 tokens. Please reduce the length of the messages.",
    type: 'invalid_request_error',
    param: 'messages',
    code: 'context_length_exceeded',
  },
}
const answer = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`

/** An endpoint that refuses when its messages are longer than this, and lists no length of a context. */
async function smallEndpoint(most_characters = 3_000) {
  const endpoint = { asked: [] as Sent[][], most_characters, base_url: '' }
  endpoint.base_url = await rawUpstream(async (request, response) => {
    if (request.method === 'GET') return void response.end(JSON.stringify({ data: [{ id: 'small' }] }))
    const { messages } = JSON.parse(await text(request)) as { messages: Sent[] }
    endpoint.asked.push(messages)
    const characters = messages.reduce((sum, { content }) => sum + content.length, 0)
    if (characters > endpoint.most_characters)
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(REFUSAL))
    else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answer(`answer ${'a'.repeat(300)}`))
  })
  return endpoint
}

async function portalWith(storage: NewStorage, base_url: string) {
  const portal = await startPortal({
    storage: await storage(),
    environment: { OPENAI_BASE_URL: base_url },
    reads_models: true,
  })
  await portal.admin.result('POST', '/system/action/read-models')
  const lin = await portal.person()
  await portal.admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { total_ask_count: 100 } })
  return { ...portal, lin }
}

const ended = (frame: Frame) => frame.type === 'finished' || frame.type === 'error'

/** Asks on in a conversation, as the page does. */
async function askOn(person: Person, conversation_id: string | null, words: string) {
  const before =
    conversation_id === null ? null : await person.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
  const chat = await person.chat(
    question(words, {
      model: 'small',
      ...(before === null
        ? { new_title: 'long' }
        : { new_conversation: false, conversation_id: before._id, parent: before.current_node }),
    }),
  )
  const end = await chat.until(ended)
  const [first] = await person.result<{ conversation_id: string }[]>('GET', '/conv')
  const history = await person.result<ConversationHistory>('GET', `/conv/${first!.conversation_id}`)
  const last = history.mapping[history.current_node!]!
  return { end, conversation_id: first!.conversation_id, last }
}

const words = (at: number) => `question ${at} ${'q'.repeat(400)}`
const total = (messages: readonly Sent[]) => messages.map(({ content }) => content.split(' ').slice(0, 2).join(' '))

eachStorage((_name, storage) => {
  describe('a context that is full', () => {
    test('is asked once more with as many earlier messages as fit, and what it holds is kept', async () => {
      const endpoint = await smallEndpoint()
      const { lin, admin } = await portalWith(storage, endpoint.base_url)
      let conversation_id: string | null = null
      let asked = await askOn(lin, null, words(0))
      conversation_id = asked.conversation_id
      let at = 1
      while (endpoint.asked.length === at) asked = await askOn(lin, conversation_id, words(at++))

      // Refused once, asked once more.
      expect([asked.end.type, endpoint.asked.length]).toEqual(['finished', at + 1])
      const [refused, sent] = endpoint.asked.slice(-2)
      expect(sent![0]!.role).toBe('user')
      expect(total(sent!)).toEqual(total(refused!).slice(refused!.length - sent!.length))
      expect(asked.last.metadata).toMatchObject({ left_out_messages: refused!.length - sent!.length })

      const { setting } = await lin.result<{ setting: { openai_api: { total_ask_count: number } } }>('GET', '/user/me')
      expect(setting.openai_api.total_ask_count).toBe(100 - at)

      // The next one fits at once.
      const next = await askOn(lin, conversation_id, words(at))
      expect([next.end.type, endpoint.asked.length]).toEqual(['finished', at + 2])
      expect(next.last.metadata).toMatchObject({ left_out_messages: expect.any(Number) })
      const upstreams = await admin.result<UpstreamRead[]>('GET', '/system/upstreams')
      const models = upstreams.flatMap(upstream => upstream.models)
      expect(models.find(({ name }) => name === 'small')).toMatchObject({
        context_length: null,
        learned_context_length: 1000,
      })
    })

    test('is refused, with what it holds, where there is nothing earlier to leave out', async () => {
      const endpoint = await smallEndpoint(300)
      const { lin } = await portalWith(storage, endpoint.base_url)
      const { end } = await askOn(lin, null, words(0))
      expect(end).toMatchObject({
        type: 'error',
        tip: 'errors.openai.contextTooLong',
        values: { status: 400, most_tokens: 1000 },
      })
      expect(endpoint.asked.length).toBe(1)
    })

    test('is asked once more once alone', async () => {
      const endpoint = await smallEndpoint()
      const { lin } = await portalWith(storage, endpoint.base_url)
      const { conversation_id } = await askOn(lin, null, words(0))
      await askOn(lin, conversation_id, words(1))
      endpoint.most_characters = 300
      const { end } = await askOn(lin, conversation_id, words(2))
      expect(end).toMatchObject({ type: 'error', tip: 'errors.openai.contextTooLong' })
      expect(endpoint.asked.length).toBe(4)
    })
  })
})
