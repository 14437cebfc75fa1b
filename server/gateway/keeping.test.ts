import { describe, expect, test } from 'vitest'
import type { Dialect } from '#contract/gateway.ts'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import { textOf } from '#contract/messages.ts'
import { tables } from '#server/foundation/database/schema/schema.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { until } from '#testing/until.ts'
import { DIALECTS, portalWithTool, questionIn } from './gateway.testing.ts'

const CODEX = { 'user-agent': 'codex_exec/0.171.0', 'session-id': 'one' }

/** A portal whose tool asks by a key that keeps what it asks, or does not. */
async function opened(storage: NewStorage, { keeps_conversations = true, dialects = ['chat'] as Dialect[] } = {}) {
  const portal = await portalWithTool(await storage(), { keeps_conversations })
  const { lin, app, send } = portal
  const { id } = app.services.upstreams.ofSettings('openai_api')
  await portal.admin.result('PATCH', `/system/upstreams/${id}`, { dialects })
  const list = () => lin.result<ConversationRecord[]>('GET', '/conv')
  /** The thread of each conversation, as the page shows it. */
  const threads = async () => {
    const records = await list()
    return Promise.all(
      records.map(async ({ conversation_id }) => {
        const { mapping, current_node } = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
        const thread: string[] = []
        for (let at = mapping[current_node ?? '']; at !== undefined; at = mapping[at.parent ?? ''])
          thread.unshift(`${at.role}: ${textOf(at)}`)
        return thread
      }),
    )
  }
  const ask = async (path: string, body: object, headers: Record<string, string> = {}) =>
    (await send(path, { body, headers })).text()
  return { ...portal, list, threads, ask }
}

const FILE = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } }
const said = (role: string, content: unknown) => ({ role, content })

eachStorage((_name, storage) => {
  describe('a key that keeps what is asked', () => {
    test.each(
      DIALECTS.flatMap(dialect =>
        [true, false].flatMap(own => [true, false].map(stream => ({ dialect, own, stream }))),
      ),
    )(
      'has the question and the answer in the list of its owner: $dialect, spoken upstream: $own, streamed: $stream',
      async ({ dialect, own, stream }) => {
        const { ask, simulator, list, threads, lin } = await opened(storage, {
          dialects: own ? [...DIALECTS] : ['chat'],
        })
        simulator.nextAnswer('Good day.')
        const [path, body] = questionIn[dialect]('Where is the tea?')
        await ask(path, { ...body, stream }, { 'user-agent': 'aider/0.86' })
        await until(async () => expect(await threads()).toEqual([['user: Where is the tea?', 'assistant: Good day.']]))
        const by_tool = { name: 'aider', key: 'Laptop' }
        expect(await list()).toMatchObject([{ title: 'Where is the tea?', by_tool, current_model: 'gpt_4' }])
        const { results } = await lin.result<{ results: object[] }>('GET', '/conv/search?words=Good')
        expect(results).toHaveLength(1)
      },
    )

    test('has of a long history only what is new, and can be asked on in the page', async () => {
      const { ask, simulator, threads, list, lin } = await opened(storage)
      const [path, messages] = ['/v1/chat/completions', [said('system', 'Be kind'), said('user', 'One?')]]
      const next = async (answer: string, ...more: object[]) => {
        messages.push(...(more as typeof messages))
        simulator.nextAnswer(answer)
        await ask(path, { model: 'gpt_4', messages })
        await until(async () => expect((await threads())[0]?.at(-1)).toBe(`assistant: ${answer}`))
      }
      await next('First.')
      await next('Called.', said('assistant', 'First.'), said('user', 'Two?'))
      await next('Third.', said('assistant', 'Called.'), { ...said('tool', 'A result'), tool_call_id: 'a' })
      await next('Fourth.', said('assistant', 'Third.'), said('user', [{ type: 'text', text: 'Three?' }, FILE]))
      const thread = ['user: One?', 'assistant: First.', 'user: Two?', 'assistant: Called.', 'assistant: Third.']
      expect(await threads()).toEqual([[...thread, 'user: Three?\n\n[file, not kept]', 'assistant: Fourth.']])
      const [{ conversation_id } = { conversation_id: null }] = await list()
      const { current_node } = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
      const asked = { new_conversation: false, conversation_id, parent: current_node }
      expect((await lin.ask('And then?', asked)).at(-1)).toMatchObject({ outcome: 'finished' })
      expect((await threads())[0]?.slice(0, 6)).toEqual([...thread, 'user: Three?\n\n[file, not kept]'])
    })

    test('has what came of an answer that broke off', async () => {
      const { ask, simulator, lin, threads, list } = await opened(storage)
      simulator.nextAnswer('one two three four five six')
      simulator.nextFault({ kind: 'cut', after_tokens: 3 })
      await ask('/v1/chat/completions', { ...questionIn.chat('Count')[1], stream: true })
      await until(async () =>
        expect(await threads()).toEqual([['user: Count', expect.stringMatching(/^assistant: one two/)]]),
      )
      const [{ conversation_id } = { conversation_id: null }] = await list()
      const { mapping, current_node } = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
      expect(mapping[current_node ?? '']?.metadata).toMatchObject({ ending: 'failed' })
    })

    test('keeps titles that a tool asks for apart, and begins anew what its owner has deleted', async () => {
      const { ask, threads, lin, simulator } = await opened(storage)
      const [path, body] = questionIn.responses('Where is the tea?')
      const tools = [{ type: 'function', name: 'look', parameters: {} }]
      await ask(path, questionIn.responses('Make a title')[1], CODEX)
      for (const answer of ['Here.', 'There.']) {
        simulator.nextAnswer(answer)
        await ask(path, { ...body, tools }, CODEX)
        await until(async () => expect(await threads()).toEqual([['user: Where is the tea?', `assistant: ${answer}`]]))
        await lin.result('DELETE', '/conv?own=true')
      }
    })

    test('is answered all the same where nothing can be kept', async () => {
      const { ask, admin, list, app, logs } = await opened(storage)
      await admin.result('PATCH', '/plan/1', { openai_api: { max_conv_count: 1 } })
      for (const text of ['One?', 'Two?']) expect(await ask(...questionIn.chat(text))).toContain('choices')
      await until(async () => expect(await logs()).toHaveLength(2))
      await app.services.toolAsks.close()
      expect(await list()).toMatchObject([{ title: 'One?' }])
    })
  })

  test('nothing of questions and answers is in any table where the key does not say so', async () => {
    const { ask, app, logs, simulator } = await opened(storage, { keeps_conversations: false, dialects: [...DIALECTS] })
    for (const dialect of DIALECTS)
      for (const stream of [true, false]) {
        simulator.nextAnswer('An answer about oolong.')
        const [path, body] = questionIn[dialect]('A question about oolong?')
        expect(await ask(path, { ...body, stream })).toContain('oolong')
      }
    await until(async () => expect(await logs()).toHaveLength(6))
    const { database } = app.services.open
    const names = Object.keys(tables) as (keyof typeof tables)[]
    const rows = await Promise.all(names.map(name => database.selectFrom(name).selectAll().execute()))
    expect(JSON.stringify(rows)).toContain('Laptop')
    expect(JSON.stringify(rows)).not.toContain('oolong')
  })
})
