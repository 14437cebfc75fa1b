import { describe, expect, test } from 'vitest'
import type { AskRequest } from '#contract/asking.ts'
import { aHistory, aMessage, anAsk } from './builders.testing.ts'
import { growingTree, mayGoOn, newHistory, nextPlace, threadOf, unansweredIn, withAsk } from './threadOf.ts'

const now = new Date('2026-11-20T06:30:00.000Z')
const text = (words: string) => ({ content_type: 'text', text: words }) as const
const q1 = aMessage({ id: 'q1', role: 'user', content: text('几点了') })
const a1 = aMessage({ id: 'a1', role: 'assistant', content: text('三点半') })
const q2 = aMessage({ id: 'q2', role: 'user', parent: 'a1', content: text('确定吗') })
const a2 = aMessage({ id: 'a2', role: 'assistant', parent: 'q2', content: text('确定') })
const request: AskRequest = {
  source: 'openai_api',
  model: 'gpt_4',
  new_conversation: false,
  text_content: '确定吗',
  conversation_id: 'c',
  parent: 'a1',
}
const ids = (messages: { id: string }[]) => messages.map(({ id }) => id)

describe('the thread', () => {
  test('is the path to the current node', () => {
    expect(ids(threadOf(aHistory(q1, a1), null))).toEqual(['q1', 'a1'])
  })
  test('has the running ask at its end', () => {
    expect(ids(threadOf(aHistory(q1, a1), anAsk({ request, question: q2, replies: [a2] })))).toEqual([
      'q1',
      'a1',
      'q2',
      'a2',
    ])
  })
  test('shows a question once that the server has stored already', () => {
    expect(ids(threadOf(aHistory(q1, a1, q2), anAsk({ request, question: q2 })))).toEqual(['q1', 'a1', 'q2'])
  })
  test('hangs a question that is asked again beside the first one', () => {
    const again = { ...q2, id: 'again' }
    expect(ids(threadOf(aHistory(q1, a1, q2), anAsk({ request, question: again })))).toEqual(['q1', 'a1', 'again'])
  })
  test('has no answer of which nothing came, once the ask is over', () => {
    const begun = anAsk({ request, question: q2, replies: [{ ...a2, content: text('') }] })
    const failed = anAsk({
      ...begun,
      state: { phase: 'failed', tip: 'errors.httpError', values: null, charged: false },
    })
    expect(ids(threadOf(aHistory(q1, a1), begun))).toEqual(['q1', 'a1', 'q2', 'a2'])
    expect(ids(threadOf(aHistory(q1, a1), failed))).toEqual(['q1', 'a1', 'q2'])
    expect(Object.keys(growingTree(aHistory(q1, a1), failed))).toEqual(['q1', 'a1', 'q2'])
  })
  test('keeps what was thought before an answer that did not come, which is no answer', () => {
    const thoughts = aMessage({
      id: 't2',
      role: 'assistant',
      parent: 'q2',
      content: { content_type: 'thoughts', text: '嗯', seconds: 3 },
      metadata: { source: 'openai_api', ending: 'failed' },
    })
    const failed = anAsk({
      request,
      question: q2,
      replies: [thoughts],
      state: { phase: 'failed', tip: 'errors.openai.thoughtsOnly', values: null, charged: false },
    })
    const live = threadOf(aHistory(q1, a1), failed)
    const kept = withAsk(aHistory(q1, a1), failed, now)
    expect(ids(live)).toEqual(['q1', 'a1', 'q2', 't2'])
    expect([unansweredIn(live)?.id, mayGoOn(live)]).toEqual(['q2', false])
    expect(kept).toMatchObject({ current_node: 'q2', failures: { q2: { tip: 'errors.openai.thoughtsOnly' } } })
    expect(ids(threadOf(kept, null))).toEqual(['q1', 'a1', 'q2', 't2'])
  })
  test('of a conversation that is not stored is the question', () => {
    expect(ids(threadOf(null, anAsk({ question: q1 })))).toEqual(['q1'])
  })
  test('goes on under the answer that is continued', () => {
    const more = anAsk({
      request: { ...request, text_content: ':continue' },
      replies: [aMessage({ id: 'more', role: 'assistant', parent: 'a1' })],
    })
    expect(ids(threadOf(aHistory(q1, a1), more))).toEqual(['q1', 'a1', 'more'])
  })
})

describe('the history after an ask', () => {
  test('has question and answer chained to what was current', () => {
    const history = withAsk(aHistory(q1, a1), anAsk({ request, question: q2, replies: [a2] }), now)
    expect(history.current_node).toBe('a2')
    expect(ids(threadOf(history, null))).toEqual(['q1', 'a1', 'q2', 'a2'])
    expect(history.mapping.a1?.children).toEqual(['q2'])
  })
  test('chains messages that came without a parent', () => {
    const web = { source: 'openai_web', parent: null } as const
    const ask = anAsk({
      question: { ...q2, ...web },
      replies: [
        { ...a2, ...web },
        { ...a2, ...web, id: 'a3' },
      ],
    })
    expect(ids(threadOf(withAsk(aHistory(q1, a1), ask, now), null))).toEqual(['q1', 'a1', 'q2', 'a2', 'a3'])
  })
  test('says that an answer was stopped', () => {
    const ask = anAsk({ request, question: q2, replies: [a2], state: { phase: 'stopped', charged: true } })
    expect(withAsk(aHistory(q1, a1), ask, now).mapping.a2?.metadata).toEqual({
      source: 'openai_api',
      ending: 'stopped',
    })
  })
  test('takes what the server has stored as it is, with the record of the conversation', () => {
    const stored = { ...a2, metadata: { source: 'openai_api', ending: 'failed', finish_reason: null } as const }
    const record = {
      id: 1,
      source: 'openai_api',
      conversation_id: 'c',
      source_id: null,
      title: 'Time',
      user_id: 1,
      is_valid: true,
      current_model: 'gpt_4_mini',
      create_time: now.toISOString(),
      update_time: '2026-11-20T06:30:01.000Z',
    } as const
    const ask = anAsk({
      request,
      question: q2,
      replies: [stored],
      isStored: true,
      record,
      state: { phase: 'failed', tip: 'errors.httpError', values: null, charged: true },
    })
    const history = withAsk({ ...aHistory(q1, a1), title: '' }, ask, now)
    expect(history.mapping.a2).toEqual({ ...stored, parent: 'q2', children: [] })
    expect(history).toMatchObject({
      current_node: 'a2',
      current_model: 'gpt_4_mini',
      title: 'Time',
      update_time: record.update_time,
      failures: {},
    })
  })
  test('leaves out an answer of which nothing came', () => {
    const ask = anAsk({
      request,
      question: q2,
      replies: [{ ...a2, content: text('') }],
      state: { phase: 'stopped', charged: false },
    })
    const history = withAsk(aHistory(q1, a1), ask, now)
    expect(unansweredIn(threadOf(history, null))?.id).toBe('q2')
  })
  test('says why a question has no answer, until it has one', () => {
    const failed = anAsk({
      request,
      question: q2,
      state: { phase: 'failed', tip: 'errors.openai.429', values: { status: 429 }, charged: false },
    })
    const history = withAsk(aHistory(q1, a1), failed, now)
    expect(history.failures).toEqual({
      q2: {
        ask_id: 'ask',
        model: 'gpt_4',
        time: now.toISOString(),
        tip: 'errors.openai.429',
        values: { status: 429 },
        charged: false,
      },
    })
    const again = { ...request, text_content: ':continue', parent: 'q2' }
    expect(
      withAsk(history, anAsk({ request: again, replies: [a2], state: { phase: 'finished', charged: true } }), now)
        .failures,
    ).toEqual({})
    expect(
      withAsk(history, anAsk({ request: again, state: { phase: 'interrupted', charged: false } }), now).failures,
    ).toMatchObject({ q2: { tip: 'errors.interrupted' } })
  })
  test('says with a part of an answer why there is no more', () => {
    const failed = anAsk({
      request,
      question: q2,
      replies: [a2],
      state: { phase: 'failed', tip: 'errors.httpError', values: null, charged: true },
    })
    const history = withAsk(aHistory(q1, a1), failed, now)
    expect(history.mapping.a2?.metadata).toMatchObject({
      ending: 'failed',
      failure: { tip: 'errors.httpError', values: null, charged: true },
    })
    expect(history.failures).toEqual({})
  })
  test('of a new conversation begins with its question', () => {
    const history = newHistory(anAsk({ request: { ...request, new_conversation: true }, question: q1 }), 'new', '', now)
    expect([history._id, ids(threadOf(history, null))]).toEqual(['new', ['q1']])
  })
})

describe('the next question', () => {
  test('follows the last answer', () => {
    expect(nextPlace(aHistory(q1, a1))).toEqual({ parent: 'a1' })
  })
  test('passes by one that got no answer', () => {
    expect(nextPlace(aHistory(q1, a1, q2))).toEqual({ parent: 'a1' })
    expect(nextPlace(aHistory(q1))).toEqual({ variant_of: 'q1' })
  })
})

describe('the tree while an ask runs', () => {
  test('has an edited question beside the old one, the first one too', () => {
    const beside = { ...request, parent: null, variant_of: 'q1' }
    const edited = { ...q1, id: 'q1b' }
    const tree = growingTree(aHistory(q1, a1), anAsk({ request: beside, question: edited }))
    expect(
      Object.values(tree)
        .filter(({ parent }) => parent === null)
        .map(({ id }) => id),
    ).toEqual(['q1', 'q1b'])
    expect(ids(threadOf(aHistory(q1, a1), anAsk({ request: beside, question: edited })))).toEqual(['q1b'])
  })
  test('has a further answer beside the one there is', () => {
    const again = anAsk({
      request: { ...request, text_content: ':continue', parent: 'q1' },
      replies: [{ ...a2, id: 'a1b', parent: 'q1' }],
    })
    expect(growingTree(aHistory(q1, a1), again).q1?.children).toEqual(['a1', 'a1b'])
    expect(ids(threadOf(aHistory(q1, a1), again))).toEqual(['q1', 'a1b'])
    expect(withAsk(aHistory(q1, a1), again, now).current_node).toBe('a1b')
  })
  test('has nothing of a question that the server has not taken', () => {
    expect(Object.keys(growingTree(aHistory(q1, a1), anAsk({ request, question: { ...q2, id: 'ask' } })))).toEqual([
      'q1',
      'a1',
    ])
  })
})

describe('an answer with more to come', () => {
  test('is one that was cut short', () => {
    const cut = { ...a1, metadata: { source: 'openai_api', ending: 'stopped' } as const }
    const full = { ...a1, metadata: { source: 'openai_api', finish_reason: 'length' } as const }
    expect([[q1, cut], [q1, full], [q1, a1], [q1]].map(mayGoOn)).toEqual([true, true, false, false])
  })
})
