import { describe, expect, onTestFinished, test } from 'vitest'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import type { UploadedFile } from '#contract/files.ts'
import { type Message, textOf } from '#contract/messages.ts'
import type { Plugin } from '#contract/plugins.ts'
import { startSimulator } from '#simulator/simulator.ts'
import type { Chat, Frame } from '#testing/person.ts'
import { question } from '#testing/person.ts'
import { startPortal, type Portal } from '#testing/portal.ts'

const WEB = { source: 'openai_web', model: 'gpt_4' } as const

const messageOf = (frame: Frame): Message => frame['message'] as Message // of a message frame
/** Without the one that only brings a title. */
const messagesIn = (chat: Chat): Message[] =>
  chat.frames
    .filter(({ type }) => type === 'message')
    .map(messageOf)
    .filter(({ content }) => content !== null)

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
      COMMONS_OPENAI_WEB_ENABLED_MODELS: '["gpt_3_5","gpt_4","gpt_4_plugins","gpt_4_code_interpreter"]',
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
    // The title that came from there is the last frame. The page then gives it to the conversation, as it does with one
    // it has asked for.
    const titled = first.frames.at(-1)?.['message']
    expect(titled).toEqual({
      ...{ id: '3aa263a5-6acf-4975-b7e8-7a8c85bf5167', source: 'openai_web', role: 'assistant' },
      ...{ author_name: null, model: null, create_time: null, parent: null, children: [], content: null },
      ...{ metadata: { source: 'openai_web' }, title: expect.stringMatching(/\S/) },
    })
    const { title } = titled as { title: string } // checked just now
    const rename = `/conv/${conversation_id}?${new URLSearchParams({ title })}`
    expect(await lin.result('PATCH', rename)).toMatchObject({ conversation_id, title })
    const untold = await asked(lin, '/simulate title=none\nCompare five days.')
    expect(messagesIn(untold)).toHaveLength(untold.frames.filter(({ type }) => type === 'message').length)
    const there = `/conv/${String(untold.frames[0]?.['conversation_id'])}`
    const last_id = messagesIn(untold).at(-1)!.id
    expect(await lin.result('PATCH', `${there}/gen_title?message_id=${last_id}`)).toMatch(/\S/)
    await lin.result('DELETE', there)
    const named = await asked(lin, 'Compare five days.', { new_title: 'Mine' })
    expect(messagesIn(named)).toHaveLength(named.frames.filter(({ type }) => type === 'message').length)
    await lin.result('DELETE', `/conv/${String(named.frames[0]?.['conversation_id'])}`)
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

  test('goes through its calls: settings, plugins, a file, an answer with a file to fetch, and a history that holds all of it', async () => {
    const { person, simulator, url } = await aWebPortal()
    const lin = await person()
    // Every question is preceded by this one, and followed by the list and the person.
    expect(await lin.result('GET', '/arkose/info')).toEqual({ enabled: false, url: '' })
    const { setting } = await lin.result<{ setting: Record<string, object> }>('GET', '/user/me')
    for (const source of ['openai_web', 'openai_api'])
      expect(setting[source]).toMatchObject({ available_models: expect.any(Array), per_model_ask_count: { gpt_4: -1 } })

    const installed = await lin.result<{ items: Plugin[]; count: number }>('GET', '/chat/openai-plugins/installed')
    expect(installed.count).toBe(installed.items.length)
    const [plugin] = installed.items
    const plugins = { model: 'gpt_4_plugins', openai_web_plugin_ids: [plugin?.id], new_title: 'With a plugin' }
    const first = await asked(lin, 'A walk?', plugins)
    const conversation_id = String(first.frames[0]?.['conversation_id'])
    // It sends the plugins along with each further question, where they are not needed.
    const parent = messagesIn(first).at(-1)!.id
    await asked(lin, 'A ride?', { ...plugins, new_title: null, new_conversation: false, conversation_id, parent })
    const history = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
    expect(history).toMatchObject({
      ...{ _id: conversation_id, title: 'With a plugin', current_model: 'gpt_4_plugins' },
      metadata: { source: 'openai_web', plugin_ids: [plugin?.id] },
    })
    for (const [id, message] of Object.entries(history.mapping)) expect(message.id).toBe(id)
    expect(await lin.result('GET', `/chat/openai-plugins/installed/${plugin?.id}`)).toMatchObject({ id: plugin?.id })

    const wanted = { file_name: 'days.csv', file_size: 3, use_case: 'my_files' }
    const { upload_file_info: file } = await lin.result<{ upload_file_info: UploadedFile }>(
      'POST',
      '/files/openai-web/upload-start',
      wanted,
    )
    const blob = { 'x-ms-blob-type': 'BlockBlob', 'x-ms-version': '2020-04-08', 'content-type': 'text/csv' }
    const address = new URL(file.openai_web_info?.upload_url ?? '', url)
    const put = await fetch(address, {
      method: 'PUT',
      body: 'a,b',
      headers: { ...blob, cookie: lin.cookie, origin: url },
    })
    expect(put.status).toBe(201)
    const complete = await lin.result<UploadedFile>('POST', `/files/openai-web/upload-complete/${file.id}`)
    const id = complete.openai_web_info?.file_id ?? ''
    expect(complete.openai_web_info).toMatchObject({ upload_url: null, download_url: expect.stringMatching(/\S/) })
    const attachment = { name: 'days.csv', id, size: 3, mimeType: 'text/csv', height: null, width: null }
    const run = await asked(lin, 'Compare five days.', {
      ...{ model: 'gpt_4_code_interpreter', new_title: '', openai_web_attachments: [attachment] },
    })
    const entry = simulator.journal.findLast(({ path }) => path === '/web/conversation')
    expect(entry?.body).toMatchObject({ arkose_token: null, messages: [{ metadata: { attachments: [{ id }] } }] })
    const answer = messagesIn(run).at(-1)!
    const [, sandbox_path = ''] = /\(sandbox:([^)]+)\)/.exec(textOf(answer)) ?? []
    const from = `/conv/${String(run.frames[0]?.['conversation_id'])}/interpreter/download-url`
    const fetched = (path: string) =>
      lin.call('GET', `${from}?${new URLSearchParams({ message_id: answer.id, sandbox_path: path })}`)
    expect(await fetched(sandbox_path)).toMatchObject({ code: 200, result: expect.stringMatching(/\S/) })
    expect(await fetched('/mnt/data/gone.csv')).toMatchObject({ code: 404, message: 'errors.resourceNotFound' })
    expect(await lin.result('GET', '/status/common')).toMatchObject({
      is_chatbot_busy: false,
      chatbot_waiting_count: 0,
    })
  })
})
