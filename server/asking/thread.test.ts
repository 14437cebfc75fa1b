import { describe, expect, test } from 'vitest'
import type { ConversationHistory } from '#contract/conversations.ts'
import { type Message, textOf } from '#contract/messages.ts'
import { aMessage, words } from '#testing/messages.ts'
import type { Simulator } from '#simulator/simulator.ts'
import { question, type Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { fitting as fittingOf, shortened as shortenedOf } from './fitting.ts'
import { fromQuestion, inContext, latest } from './thread.ts'

const fitting = (thread: readonly Message[], length: number | null) => fittingOf(thread, length, 'some-model')
const shortened = (thread: readonly Message[], limit: Parameters<typeof shortenedOf>[1]) =>
  shortenedOf(thread, limit, 'some-model')

const message = (text: string) => aMessage({ id: text, role: 'user', content: words(text) })
const texts = (thread: readonly Message[]) => thread.map(textOf)

describe('a thread', () => {
  test('goes whole where the context is not bounded', () => {
    expect(texts(fitting([message('a'), message('b')], null))).toEqual(['a', 'b'])
  })
  test('is cut to as many of the latest as the context holds, with room for the answer', () => {
    const thread = Array.from({ length: 100 }, (_, at) => message(`${at} ${'x'.repeat(300)}`))
    const kept = texts(fitting(thread, 2000))
    expect(kept.at(-1)).toBe(textOf(thread[99]!))
    expect(kept).toEqual(texts(thread).slice(-kept.length))
    // About 100 tokens each, of three quarters of 2000.
    expect(kept.length).toBeGreaterThan(10)
    expect(kept.length).toBeLessThan(16)
  })
  test('counts a Chinese character as a token', () => {
    const thread = [message('早'.repeat(400)), message('好'.repeat(400)), message('问')]
    expect(texts(fitting(thread, 1000))).toEqual(['好'.repeat(400), '问'])
  })
  test('always has the question, however long', () => {
    expect(texts(fitting([message('before'), message('长'.repeat(5000))], 256))).toEqual(['长'.repeat(5000)])
    const answer: Message = { ...message('短'.repeat(5000)), role: 'assistant' }
    expect(texts(fitting([message('before'), message('question'), answer], 256))).toEqual(['question', textOf(answer)])
    expect(fitting([], 256)).toEqual([])
  })
})

describe('a thread that was too long', () => {
  const said = (role: Message['role'], text: string): Message => ({ ...message(text), role })
  const pair = (at: number) => [said('user', `${at} ${'q'.repeat(300)}`), said('assistant', `${at} ${'a'.repeat(300)}`)]
  const system = said('system', 'Be brief')
  const thread = [system, ...pair(1), ...pair(2), ...pair(3), said('user', 'question')]
  const NONE = { most: null, asked: null, answer: null }

  test('keeps what the system says, the question, and whole pairs before it', () => {
    expect(shortened(thread, { ...NONE, most: 650 })).toEqual([system, ...pair(2), ...pair(3), thread.at(-1)])
    expect(shortened(thread, { ...NONE, most: 400 })).toEqual([system, ...pair(3), thread.at(-1)])
    expect(shortened(thread, { ...NONE, most: 260 })).toEqual([system, thread.at(-1)])
  })
  test('is measured as its upstream does', () => {
    expect(shortened(thread, { ...NONE, most: 650, asked: 1_200 })).toEqual([system, ...pair(3), thread.at(-1)])
    expect(shortened(thread, { ...NONE, most: 650, asked: 90_000_000 })).toEqual([system, thread.at(-1)])
    expect(shortened(thread, { ...NONE, most: 800, answer: 400 })).toEqual([system, ...pair(3), thread.at(-1)])
  })
  test('is shorter in any case, whatever its upstream says, and halved where that names no number', () => {
    expect(shortened(thread, { ...NONE, most: 100_000 })).toEqual(thread.toSpliced(1, 2))
    expect(shortened(thread, NONE)).toEqual([system, ...pair(3), thread.at(-1)])
  })
  test('is none where there is nothing to leave out', () => {
    expect(shortened([said('user', 'question')], { ...NONE, most: 256 })).toBe(null)
    expect(shortened([system, said('user', 'x'.repeat(5_000))], NONE)).toBe(null)
    expect(shortened([], NONE)).toBe(null)
  })
})

describe('a thread that was cut', () => {
  const path = (...roles: Message['role'][]): Message[] =>
    roles.map(role => ({ ...message(role), role, parent: 'earlier' }))
  test('begins with a question', () => {
    expect(texts(fromQuestion(path('assistant', 'tool', 'user', 'assistant', 'user')))).toEqual([
      'user',
      'assistant',
      'user',
    ])
    expect(texts(fromQuestion(path('user', 'assistant', 'user')))).toEqual(['user', 'assistant', 'user'])
  })
  test('keeps what it has of the system', () => {
    expect(texts(fromQuestion(path('system', 'assistant', 'system', 'user')))).toEqual(['system', 'system', 'user'])
  })
  test('keeps its last message, whatever that is', () => {
    expect(texts(fromQuestion(path('assistant', 'assistant')))).toEqual(['assistant'])
    expect(fromQuestion([])).toEqual([])
  })
  test('is not one that has its beginning', () => {
    const [greeting, ...others] = path('assistant', 'user')
    expect(texts(fromQuestion([{ ...greeting!, parent: null }, ...others]))).toEqual(['assistant', 'user'])
  })
})

describe('what a thread takes of a path', () => {
  const thoughts: Message = {
    ...message('thoughts'),
    role: 'assistant',
    content: { content_type: 'thoughts', text: 'hm', seconds: 1 },
    parent: null,
  }
  const answer: Message = { ...message('answer'), role: 'assistant', parent: 'thoughts' }
  test('is what was said, and it is whole where only notes stood before it', () => {
    expect(inContext([thoughts, answer, message('q')]).map(({ id, parent }) => [id, parent])).toEqual([
      ['answer', null],
      ['q', null],
    ])
    expect(inContext([{ ...thoughts, parent: 'earlier' }, answer]).map(({ parent }) => parent)).toEqual(['thoughts'])
    expect(inContext([thoughts])).toEqual([])
  })
  test('is of the system what stands in front of the whole', () => {
    const system: Message = { ...message('system'), role: 'system' }
    expect(texts(inContext([system, system, message('q'), system, answer]))).toEqual([
      'system',
      'system',
      'q',
      'answer',
    ])
    expect(texts(inContext([{ ...system, parent: 'earlier' }, message('q')]))).toEqual(['q'])
  })
  test('is as many of the latest as are wanted, with a question among them', () => {
    const thread = [message('q1'), answer, message('q2'), answer, answer]
    expect(texts(latest(thread, 4))).toEqual(['answer', 'q2', 'answer', 'answer'])
    expect(texts(latest(thread, 1))).toEqual(['q2', 'answer', 'answer'])
    expect(texts(latest([answer, answer], 1))).toEqual(['answer'])
  })
})

const MODEL = { code: 'small', label: 'Small', upstream_name: 'small-upstream', context_length: 400 }

/** What the upstream was asked last. */
function lastAsked({ journal }: Simulator): { model: string; messages: { role: string; content: string }[] } {
  return journal.at(-1)?.body as never // what a provider sends, and the simulator has read
}

async function startedConversation(lin: Person, text: string): Promise<{ conversation_id: string; parent: string }> {
  const conversation_id = String((await lin.ask(text, { new_title: 'x' }))[0]?.['conversation_id'])
  const { current_node } = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
  return { conversation_id, parent: current_node ?? '' }
}

describe('a further model', () => {
  test('is asked by its upstream name, with as much as its context holds', async () => {
    const { person, admin, simulator } = await startPortal()
    await admin.result('PUT', '/system/config', { openai_api: { further_models: [MODEL] } })
    const lin = await person()
    simulator.nextAnswer('short')
    const end = await startedConversation(lin, '长'.repeat(500))
    await lin.ask('and now?', { ...end, new_conversation: false, model: 'small' })
    expect(lastAsked(simulator).model).toBe('small-upstream')
    expect(lastAsked(simulator).messages.map(({ content }) => content)).toEqual(['and now?'])
    const history = await lin.result<ConversationHistory>('GET', `/conv/${end.conversation_id}`)
    expect(history.current_model).toBe('small')
    expect(history.mapping[history.current_node ?? '']?.model).toBe('small')
  })
})

describe(':continue', () => {
  test('asks for more of the answer, and is no question of its own', async () => {
    const { person, simulator } = await startPortal()
    const lin = await person()
    simulator.nextAnswer('the first half')
    const end = await startedConversation(lin, 'tell me')
    simulator.nextAnswer('the second half')
    await lin.ask(':continue', { ...end, new_conversation: false })
    expect(lastAsked(simulator).messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'tell me'],
      ['assistant', 'the first half'],
      ['user', expect.stringContaining('Continue')],
    ])
    const { mapping, current_node } = await lin.result<ConversationHistory>('GET', `/conv/${end.conversation_id}`)
    expect(Object.values(mapping).map(each => [each.role, textOf(each)])).toEqual([
      ['user', 'tell me'],
      ['assistant', 'the first half'],
      ['assistant', 'the second half'],
    ])
    expect(mapping[current_node ?? '']?.parent).toBe(end.parent)
  })
  test('goes out with its question, however few messages are wanted, and when it is asked for again', async () => {
    const { person, simulator } = await startPortal()
    const lin = await person()
    simulator.nextAnswer('one')
    const { conversation_id, parent } = await startedConversation(lin, 'count to three')
    simulator.nextAnswer('two')
    const end = { conversation_id, new_conversation: false, api_context_message_count: 0 }
    await lin.ask(':continue', { ...end, parent })
    const { current_node } = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
    await lin.ask(':continue', { ...end, parent: current_node ?? '' })
    expect(lastAsked(simulator).messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'count to three'],
      ['assistant', 'one\n\ntwo'],
      ['user', expect.stringContaining('Continue')],
    ])
  })
  test('at the beginning of a conversation is a question like any other', async () => {
    const { person, simulator } = await startPortal()
    const lin = await person()
    await startedConversation(lin, ':continue')
    expect(lastAsked(simulator).messages).toEqual([{ role: 'user', content: ':continue' }])
  })
})

describe('a conversation that was imported', () => {
  const said = (role: Message['role'], text: string, more: object = {}) => ({
    role,
    author_name: null,
    model: null,
    create_time: '2026-03-02T10:00:00.000Z',
    content: { content_type: 'text', text },
    metadata: null,
    ...more,
  })

  test('goes on without its thoughts, its recaps and the notes of its tools', async () => {
    const { person, simulator } = await startPortal()
    const lin = await person()
    const chain = [
      said('assistant', 'A cup of tea.'),
      said('assistant', '', { content: { content_type: 'thoughts', text: 'Considering', seconds: 4 } }),
      said('system', 'Thought for 4 seconds'),
      said('tool', "Successfully created text document with textdoc_id: '1'", {
        author_name: 'canmore.create_textdoc',
      }),
      said('assistant', 'I put the notes on the canvas.'),
      said('system', 'note'),
    ].map((each, at) => ({ ...each, id: `m${at}`, parent: at === 0 ? null : `m${at - 1}` }))
    const {
      results: [result],
    } = await lin.result<{ results: { conversation_id: string }[] }>('POST', '/conv/import', {
      conversations: [
        {
          id: 'voice',
          title: 'Voice',
          create_time: chain[0]?.create_time,
          update_time: chain[0]?.create_time,
          current_node: 'm5',
          current_model: null,
          messages: chain,
        },
      ],
    })
    const { current_node } = await lin.result<ConversationHistory>('GET', `/conv/${result?.conversation_id}`)
    const end = { conversation_id: result?.conversation_id, parent: current_node ?? '', new_conversation: false }
    await lin.ask('and now?', end)
    expect(lastAsked(simulator).messages).toEqual([
      { role: 'assistant', content: 'A cup of tea.\n\nI put the notes on the canvas.' },
      { role: 'user', content: 'and now?' },
    ])
    // Of two messages that are wanted none is used up by a note.
    await lin.ask('shorter', { ...end, api_context_message_count: 2 })
    expect(lastAsked(simulator).messages.map(({ content }) => content)).toEqual([
      'A cup of tea.\n\nI put the notes on the canvas.',
      'shorter',
    ])
  })
})

describe('a conversation of the greatest size', () => {
  test('takes no further question, and says why', async () => {
    const { person, admin } = await startPortal()
    await admin.result('PUT', '/system/config', { asking: { max_messages_per_conversation: 10 } })
    const lin = await person()
    let end = await startedConversation(lin, 'one')
    const follow = async (text: string) => {
      const chat = await lin.chat(question(text, { ...end, new_conversation: false }))
      const { reason } = await chat.closed
      const { current_node } = await lin.result<ConversationHistory>('GET', `/conv/${end.conversation_id}`)
      end = { ...end, parent: current_node ?? '' }
      return reason
    }
    for (const text of ['two', 'three', 'four', 'five']) expect(await follow(text)).toBe('tips.finished')
    expect(await follow('six')).toBe('errors.conversationTooLong')
  })
})
