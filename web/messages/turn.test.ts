import { describe, expect, test } from 'vitest'
import type { Message, Role } from '#contract/messages.ts'
import { aMessage } from '#testing/messages.ts'
import {
  answered,
  asked,
  aWebConversation,
  called,
  messagesIn,
  replied,
  text,
  type WebMessage,
} from '#testing/webConversations/builder.ts'
import { heatPump } from '#testing/webConversations/heatPump.ts'
import { odd } from '#testing/webConversations/odd.ts'
import { poster } from '#testing/webConversations/poster.ts'
import { weekend } from '#testing/webConversations/weekend.ts'
import { secondsOf } from './steps.ts'
import { piecesOf, turnsOf } from './turn.ts'

const said = (role: Role, id: string) => aMessage({ role, id })

const idsOfTurns = (...messages: Message[]) =>
  turnsOf(messages).map(({ question, replies }) => [question?.id ?? null, ...replies.map(({ id }) => id)])

test('a turn is a question and everything that answers it', () => {
  expect(
    idsOfTurns(
      said('user', 'q1'),
      said('assistant', 'a1'),
      said('tool', 't1'),
      said('assistant', 'a2'),
      said('user', 'q2'),
    ),
  ).toEqual([['q1', 'a1', 't1', 'a2'], ['q2']])
})

test('messages of the system are not shown', () => {
  expect(idsOfTurns(said('system', 's'), said('user', 'q'))).toEqual([['q']])
})

test('a conversation may begin with an answer', () => {
  expect(idsOfTurns(said('assistant', 'a'), said('user', 'q'))).toEqual([[null, 'a'], ['q']])
})

const nothingGrows = () => false

/** The first answer, one entry for each piece: 'text', or the kinds of its steps with their numbers of messages. */
function shape(messages: readonly Message[], turn = 0): string[] {
  const replies = turnsOf(messages)[turn]?.replies ?? []
  return piecesOf(replies, nothingGrows).map(piece =>
    piece.kind === 'message'
      ? 'text'
      : piece.steps
          .map(
            ({ kind, messages, failed, recovered }) =>
              `${kind} ${messages.length}${failed ? (recovered ? ' recovered' : ' failed') : ''}`,
          )
          .join(', '),
  )
}

const messagesOf = (...messages: WebMessage[]) =>
  messagesIn(aWebConversation('00000000-0000-4000-8000-000000000000', '', 'gpt_4', messages))

describe('an answer', () => {
  test('is one, however many messages it has', () => {
    expect(shape(messagesIn(heatPump))).toEqual(['text', 'code 2 recovered, code 2, browsing 4', 'text'])
  })

  test('has all browsing as one step, and each call of a plugin as its own', () => {
    expect(shape(messagesIn(weekend))).toEqual(['browsing 9, plugin 2 recovered, plugin 2', 'text'])
  })

  test('shows generated pictures beside the step', () => {
    expect(shape(messagesIn(poster))).toEqual(['files 2, painting 1', 'text', 'text'])
    expect(shape(messagesIn(poster), 1)).toEqual(['painting 2 recovered', 'text'])
  })

  test('drops no unknown content', () => {
    expect(shape(messagesIn(odd))).toEqual([
      'other 1, other 1, code 2 recovered, browsing 2, plugin 2 recovered, painting 1',
      'text',
    ])
  })

  test('leaves out empty messages, but not one that still grows', () => {
    const replies = messagesOf(answered(''), answered('好'))
    expect(piecesOf(replies, nothingGrows)).toHaveLength(1)
    expect(piecesOf(replies, id => id === replies[0]?.id)).toHaveLength(2)
  })

  test('of openai_api is shown even when it is empty, with its ending', () => {
    const reply: Message = {
      ...messagesOf(answered(''))[0]!,
      source: 'openai_api',
      metadata: { source: 'openai_api', ending: 'stopped' },
    }
    expect(piecesOf([reply], nothingGrows)).toHaveLength(1)
  })

  test('that ends with a failed step has it as failed', () => {
    expect(
      shape(
        messagesOf(
          asked('算'),
          called('python', '1/0'),
          replied('python', { content_type: 'stderr', text: 'ZeroDivisionError' }),
        ),
      ),
    ).toEqual(['code 2 failed'])
  })

  test('of an unknown tool is a plugin step', () => {
    expect(shape(messagesOf(asked('查'), { role: 'tool', name: 'atlas', content: text('{}') }))).toEqual(['plugin 1'])
  })
})

describe('the seconds of a step', () => {
  const stepsOf = (messages: readonly Message[]) =>
    piecesOf(turnsOf(messages)[0]?.replies ?? [], nothingGrows).flatMap(piece =>
      piece.kind === 'steps' ? piece.steps : [],
    )

  test('are those of the run, else those between call and answer', () => {
    const [failed, recovered, browsing] = stepsOf(messagesIn(heatPump)).map(secondsOf)
    expect(failed).toBeCloseTo(0.42)
    expect(recovered).toBeCloseTo(3.2)
    expect(browsing).toBeCloseTo(3.8)
  })

  test('are unknown for a single message, and across a pause of hours', () => {
    expect(stepsOf(messagesOf(asked('算'), called('python', '1'))).map(secondsOf)).toEqual([null])
    expect(
      stepsOf(
        messagesOf(
          asked('算'),
          called('python', '1'),
          replied('python', { content_type: 'execution_output', text: '1' }, undefined, 90_000),
        ),
      ).map(secondsOf),
    ).toEqual([null])
  })
})
