import { describe, expect, test } from 'vitest'
import type { AskRequest } from '#contract/asking.ts'
import type { ConversationHistory } from '#contract/conversations.ts'
import { words } from '#testing/messages.ts'
import type { Ask } from './askState.ts'
import { aHistory, aMessage, anAsk } from '../builders.testing.ts'
import { afterAsk, canContinue, newHistory, newRecord, nextParent, unansweredIn, withAsk } from './askHistory.ts'

const q1 = aMessage({ id: 'q1', role: 'user', content: words('几点了') })
const a1 = aMessage({ id: 'a1', role: 'assistant', content: words('三点半') })
const q2 = aMessage({ id: 'q2', role: 'user', parent: 'a1', content: words('确定吗') })
const a2 = aMessage({ id: 'a2', role: 'assistant', parent: 'q2', content: words('确定') })
const thoughts = aMessage({
  id: 't2',
  role: 'assistant',
  parent: 'q2',
  content: { content_type: 'thoughts', text: '嗯', seconds: 3 },
  metadata: { source: 'openai_api', ending: 'failed' },
})
const request: AskRequest = {
  source: 'openai_api',
  model: 'gpt_4',
  new_conversation: false,
  text_content: '确定吗',
  conversation_id: 'c',
  parent: 'a1',
}
const ids = (messages: { id: string }[]) => messages.map(({ id }) => id)
const threadOf = (history: ConversationHistory | null, ask: Ask | null) => ids(withAsk(history, ask).messages)
const treeOf = (history: ConversationHistory, ask: Ask) => withAsk(history, ask).mapping

describe('the thread', () => {
  test('is the path to the current node', () => {
    expect(threadOf(aHistory(q1, a1), null)).toEqual(['q1', 'a1'])
  })
  test('has the running ask at its end', () => {
    const ask = anAsk({ request, question: q2, replies: [a2] })
    expect(threadOf(aHistory(q1, a1), ask)).toEqual(['q1', 'a1', 'q2', 'a2'])
  })
  test('shows a question once that the server has stored already', () => {
    expect(threadOf(aHistory(q1, a1, q2), anAsk({ request, question: q2 }))).toEqual(['q1', 'a1', 'q2'])
  })
  test('has a question that is asked again beside the first one', () => {
    const again = { ...q2, id: 'again' }
    expect(threadOf(aHistory(q1, a1, q2), anAsk({ request, question: again }))).toEqual(['q1', 'a1', 'again'])
  })
  test('has no answer of which nothing came, once the ask is over', () => {
    const replying = anAsk({ request, question: q2, replies: [{ ...a2, content: words('') }] })
    const failed = anAsk({
      ...replying,
      state: { phase: 'failed', tip: 'errors.httpError', values: null, charged: false },
    })
    expect(threadOf(aHistory(q1, a1), replying)).toEqual(['q1', 'a1', 'q2', 'a2'])
    expect(threadOf(aHistory(q1, a1), failed)).toEqual(['q1', 'a1', 'q2'])
    expect(Object.keys(treeOf(aHistory(q1, a1), failed))).toEqual(['q1', 'a1', 'q2'])
  })
  test('keeps the thoughts before an answer that did not come, which are no answer', () => {
    const failed = anAsk({
      request,
      question: q2,
      replies: [thoughts],
      isStored: true,
      state: { phase: 'failed', tip: 'errors.openai.thoughtsOnly', values: null, charged: false },
    })
    const { messages } = withAsk(aHistory(q1, a1), failed)
    const after = afterAsk(aHistory(q1, a1), failed)
    expect(ids(messages)).toEqual(['q1', 'a1', 'q2', 't2'])
    expect([unansweredIn(messages)?.id, canContinue(messages)]).toEqual(['q2', false])
    expect(after.current_node).toBe('q2')
    expect(threadOf(after, null)).toEqual(['q1', 'a1', 'q2', 't2'])
  })
  test('of a conversation that is not stored is the question', () => {
    expect(threadOf(null, anAsk({ question: q1 }))).toEqual(['q1'])
  })
  test('continues under the answer that is continued', () => {
    const more = anAsk({
      request: { ...request, text_content: ':continue' },
      replies: [aMessage({ id: 'more', role: 'assistant', parent: 'a1' })],
    })
    expect(threadOf(aHistory(q1, a1), more)).toEqual(['q1', 'a1', 'more'])
  })
})

describe('the history after an ask', () => {
  test('has the question, and under it the messages that are stored, the last one current', () => {
    const history = afterAsk(aHistory(q1, a1), anAsk({ question: q2, replies: [a2] }))
    expect(history.current_node).toBe('a2')
    expect(threadOf(history, null)).toEqual(['q1', 'a1', 'q2', 'a2'])
    expect(history.mapping.a1?.children).toEqual(['q2'])
  })
  test('has the messages and the record of the conversation as the server has stored them', () => {
    const stored = { ...a2, metadata: { source: 'openai_api', ending: 'failed', finish_reason: null } as const }
    const record = {
      ...newRecord(aHistory()),
      title: 'Time',
      current_model: 'gpt_4_mini',
      update_time: '2026-11-20T06:30:01.000Z',
    }
    const ask = anAsk({ question: q2, replies: [stored], isStored: true, record })
    const history = afterAsk({ ...aHistory(q1, a1), title: '', running_ask: 'ask' }, ask)
    expect(history.mapping.a2).toEqual(stored)
    expect(history).toMatchObject({
      current_node: 'a2',
      current_model: 'gpt_4_mini',
      title: 'Time',
      update_time: record.update_time,
      running_ask: null,
    })
  })
  test('without an answer ends with the question', () => {
    const ask = anAsk({ question: q2, isStored: true, state: { phase: 'stopped', charged: false } })
    const { messages } = withAsk(afterAsk(aHistory(q1, a1), ask), null)
    expect(unansweredIn(messages)?.id).toBe('q2')
  })
  test('has a further answer beside the one there is', () => {
    const again = anAsk({ replies: [{ ...a2, id: 'a1b', parent: 'q1' }], isStored: true })
    const { mapping, current_node } = afterAsk(aHistory(q1, a1), again)
    expect([mapping.q1?.children, current_node]).toEqual([['a1', 'a1b'], 'a1b'])
  })
})

describe('a conversation that was just accepted', () => {
  test('has its question, and the title and model that were chosen for it', () => {
    const asked = { ...request, new_conversation: true, new_title: '时间' }
    const history = newHistory('new', anAsk({ request: asked, question: q1 }))
    expect([history._id, threadOf(history, null)]).toEqual(['new', ['q1']])
    expect(newRecord(history)).toMatchObject({ conversation_id: 'new', title: '时间', current_model: 'gpt_4' })
  })
})

describe('the next question', () => {
  test('follows the last answer', () => {
    expect(nextParent(aHistory(q1, a1))).toEqual({ parent: 'a1' })
  })
  test('replaces one that got no answer', () => {
    expect(nextParent(aHistory(q1, a1, q2))).toEqual({ parent: 'a1' })
    expect(nextParent(aHistory(q1))).toEqual({ variant_of: 'q1' })
  })
})

describe('the tree while an ask runs', () => {
  test('has an edited question beside the old one, the first one too', () => {
    const beside = { ...request, parent: null, variant_of: 'q1' }
    const edited = anAsk({ request: beside, question: { ...q1, id: 'q1b' } })
    const roots = Object.values(treeOf(aHistory(q1, a1), edited)).filter(({ parent }) => parent === null)
    expect(ids(roots)).toEqual(['q1', 'q1b'])
    expect(threadOf(aHistory(q1, a1), edited)).toEqual(['q1b'])
  })
  test('has a further answer beside the one there is', () => {
    const again = anAsk({
      request: { ...request, text_content: ':continue', parent: 'q1' },
      replies: [{ ...a2, id: 'a1b', parent: 'q1' }],
    })
    expect(treeOf(aHistory(q1, a1), again).q1?.children).toEqual(['a1', 'a1b'])
    expect(threadOf(aHistory(q1, a1), again)).toEqual(['q1', 'a1b'])
  })
  test('chains messages that come without a parent', () => {
    const web = { source: 'openai_web', parent: null } as const
    const replies = ['a2', 'a3'].map(id => ({ ...a2, ...web, id }))
    const tree = treeOf(aHistory(q1, a1), anAsk({ question: q2, replies }))
    expect([tree.q2?.children, tree.a2?.children]).toEqual([['a2'], ['a3']])
  })
  test('has nothing of a question that the server has not accepted', () => {
    const unsent = anAsk({ request, question: { ...q2, id: 'ask' } })
    expect(Object.keys(treeOf(aHistory(q1, a1), unsent))).toEqual(['q1', 'a1'])
  })
})

describe('an answer that can be continued', () => {
  test('is one that was cut short', () => {
    const cut = { ...a1, metadata: { source: 'openai_api', ending: 'stopped' } as const }
    const full = { ...a1, metadata: { source: 'openai_api', finish_reason: 'length' } as const }
    expect([[q1, cut], [q1, full], [q1, a1], [q1]].map(canContinue)).toEqual([true, true, false, false])
  })
})
