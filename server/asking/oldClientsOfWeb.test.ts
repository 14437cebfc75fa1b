import { describe, expect, onTestFinished, test } from 'vitest'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import { type Message, textOf } from '#contract/messages.ts'
import { startSimulator } from '#simulator/simulator.ts'
import type { Chat, Frame } from '#testing/person.ts'
import { question } from '#testing/person.ts'
import { startPortal, type Portal } from '#testing/portal.ts'

const WEB = { source: 'openai_web', model: 'gpt_4' } as const

const messageOf = (frame: Frame): Message => frame['message'] as Message // of a message frame
const messagesIn = (chat: Chat): Message[] => chat.frames.filter(({ type }) => type === 'message').map(messageOf)

/** A portal whose web account is the simulator. */
async function aWebPortal(): Promise<Portal> {
  const simulator = await startSimulator({ tokens_per_second: 0 })
  onTestFinished(() => simulator.close())
  return startPortal({
    simulator,
    environment: {
      COMMONS_OPENAI_WEB_ENABLED: 'true',
      COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: simulator.webUrl,
      COMMONS_CREDENTIALS_OPENAI_WEB_ACCESS_TOKEN: 'web-access-token',
    },
  })
}

describe('an old client that asks the web source', () => {
  /** Asks as the original page does, and waits for the end. */
  async function asked(who: Awaited<ReturnType<Portal['person']>>, text: string, more: object = { new_title: '' }) {
    const chat = await who.chat({ ...question(text, WEB), arkose_token: null, ...more }, null)
    expect(await chat.closed).toEqual({ code: 1000, reason: 'tips.finished' })
    return chat
  }

  test('gets whole messages under stable ids: its question again, those of tools, and an answer that says it is the last', async () => {
    const { person } = await aWebPortal()
    const chat = await asked(await person(), '/simulate shape=interpreter-error\nCompare five days.')
    const messages = messagesIn(chat)
    const [waiting] = chat.frames
    expect(waiting).toMatchObject({ type: 'waiting', tip: 'tips.waiting' })
    for (const frame of chat.frames) {
      expect(Object.keys(frame).sort()).toEqual(['conversation_id', 'error_detail', 'message', 'tip', 'type'])
      expect(frame['conversation_id']).toBe(waiting?.['conversation_id'])
    }
    for (const { source, metadata, role, content } of messages) {
      expect([source, metadata?.source]).toEqual(['openai_web', 'openai_web'])
      if (content?.content_type === 'text') expect(content.parts).toHaveLength(1)
      if (role === 'assistant' && content?.content_type === 'text') expect(metadata).toMatchObject({ recipient: 'all' })
    }
    // Each state of a message is all of it so far.
    const latest = new Map<string, Message>()
    for (const message of messages) {
      const before = latest.get(message.id)
      expect(textOf(message).startsWith(before === undefined ? '' : textOf(before))).toBe(true)
      latest.set(message.id, message)
    }
    expect([...latest.values()].map(({ role, author_name }) => author_name ?? role)).toEqual([
      'user',
      'assistant',
      'assistant',
      'python',
      'python',
      'assistant',
      'python',
      'assistant',
    ])
    expect(messages.at(-1)).toMatchObject({
      role: 'assistant',
      model: 'gpt_4',
      metadata: { end_turn: true, recipient: 'all', finish_details: { type: 'stop' } },
    })
  })

  test('names what it has begun, reads it, asks on from its last message, and goes on with an answer that was cut', async () => {
    const portal = await aWebPortal()
    const lin = await portal.person()
    const first = await asked(lin, 'Compare five days.')
    const conversation_id = String(first.frames[0]?.['conversation_id'])
    const parent = messagesIn(first).at(-1)!.id
    const title = await lin.result<string>('PATCH', `/conv/${conversation_id}/gen_title?message_id=${parent}`)
    expect(title).toMatch(/\S/)
    expect(await lin.result<ConversationRecord[]>('GET', '/conv')).toMatchObject([
      { conversation_id, source: 'openai_web', title, current_model: 'gpt_4' },
    ])
    await asked(lin, 'And six?', { new_conversation: false, conversation_id, parent })
    const history = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
    expect(history).toMatchObject({ _id: conversation_id, source: 'openai_web', title, current_model: 'gpt_4' })
    const said = Object.values(history.mapping).filter(({ role }) => role !== 'system')
    expect(said.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
    expect(history.mapping[history.current_node ?? '']?.metadata).toMatchObject({ end_turn: true })
    const [body] = portal.simulator.journal
      .flatMap(entry => (entry.path === '/web/conversation' ? [entry.body] : []))
      .slice(-1)
    expect(body).toMatchObject({ action: 'next', parent_message_id: parent, plugin_ids: null })

    const cut = await asked(lin, '/simulate limit=20\nCompare five days.')
    const last = messagesIn(cut).at(-1)!
    expect(last.metadata).toMatchObject({ finish_details: { type: 'max_tokens' } })
    const more = {
      new_conversation: false,
      conversation_id: String(cut.frames[0]?.['conversation_id']),
      parent: last.id,
    }
    const [next] = messagesIn(await asked(lin, ':continue', more))
    expect(next).toMatchObject({ role: 'assistant' })
    expect(next?.id).not.toBe(last.id)
    const entry = portal.simulator.journal.findLast(({ path }) => path === '/web/conversation')
    expect(entry?.body).toMatchObject({ action: 'continue', messages: null, parent_message_id: last.id })
  })

  test('reads what a wall or the account refuses with in words, and never is signed out by it', async () => {
    const portal = await aWebPortal()
    const lin = await portal.person()
    for (const [fault, key] of [
      [{ kind: 'page', status: 401 }, 'openai.401'],
      [{ kind: 'page', status: 403 }, 'openai.403'],
      [{ kind: 'status', status: 429, retry_after_seconds: 40 }, 'openai.429'],
    ] as const) {
      portal.simulator.web.nextFault('ask', fault)
      const chat = await lin.chat({ ...question('hello', WEB), new_title: '' }, null)
      expect(await chat.closed).toEqual({ code: 1001, reason: `errors.${key}` })
      expect(chat.frames.at(-1)).toMatchObject({ type: 'error', tip: `errors.${key}`, message: null })
      expect(JSON.stringify(chat.frames)).not.toContain('secret-of-the-wall')
    }
    expect(await lin.call('GET', '/user/me')).toMatchObject({ code: 200 })
  })
})
