import { expect, test } from 'vitest'
import type { Message, Role } from '#contract/messages.ts'
import { turnsOf } from './turns.ts'

function said(role: Role, id: string): Message {
  return {
    id,
    source: 'openai_api',
    role,
    author_name: null,
    model: null,
    create_time: null,
    parent: null,
    children: [],
    content: null,
    metadata: null,
  }
}

const shape = (...messages: Message[]) =>
  turnsOf(messages).map(({ question, replies }) => [question?.id ?? null, ...replies.map(({ id }) => id)])

test('a turn is a question and everything that came of it', () => {
  expect(
    shape(said('user', 'q1'), said('assistant', 'a1'), said('tool', 't1'), said('assistant', 'a2'), said('user', 'q2')),
  ).toEqual([['q1', 'a1', 't1', 'a2'], ['q2']])
})

test('messages of the system are not shown', () => {
  expect(shape(said('system', 's'), said('user', 'q'))).toEqual([['q']])
})

test('a conversation may begin with an answer', () => {
  expect(shape(said('assistant', 'a'), said('user', 'q'))).toEqual([[null, 'a'], ['q']])
})
