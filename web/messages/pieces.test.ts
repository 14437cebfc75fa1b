import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import {
  answered,
  asked,
  aWebConversation,
  called,
  messagesIn,
  replied,
  type WebMessage,
  text,
} from '#testing/webConversations/builder.ts'
import { heatPump } from '#testing/webConversations/heatPump.ts'
import { odd } from '#testing/webConversations/odd.ts'
import { poster } from '#testing/webConversations/poster.ts'
import { weekend } from '#testing/webConversations/weekend.ts'
import { piecesOf } from './pieces.ts'
import { secondsOf } from './steps.ts'
import { turnsOf } from './turns.ts'

const nothingGrows = () => false

/** The first answer, a word a piece: its text's beginning, or the kinds of its steps with how many messages each holds. */
function shape(messages: readonly Message[], turn = 0): string[] {
  const replies = turnsOf(messages)[turn]?.replies ?? []
  return piecesOf(replies, nothingGrows).map(piece =>
    piece.kind === 'said'
      ? 'said'
      : piece.steps
          .map(
            ({ kind, messages, failed, recovered }) =>
              `${kind} ${messages.length}${failed ? (recovered ? ' mended' : ' failed') : ''}`,
          )
          .join(', '),
  )
}

const said = (...messages: WebMessage[]) =>
  messagesIn(aWebConversation('00000000-0000-4000-8000-000000000000', '', 'gpt_4', messages))

describe('an answer', () => {
  test('is one, however many messages it has', () => {
    expect(shape(messagesIn(heatPump))).toEqual(['said', 'code 2 mended, code 2, browsing 4', 'said'])
  })

  test('takes looking around as one walk, and each call of a plugin by itself', () => {
    expect(shape(messagesIn(weekend))).toEqual(['browsing 9, plugin 2 mended, plugin 2', 'said'])
  })

  test('shows the pictures of a painter, and not only that it painted', () => {
    expect(shape(messagesIn(poster))).toEqual(['files 2, painting 1', 'said', 'said'])
    expect(shape(messagesIn(poster), 1)).toEqual(['painting 2 mended', 'said'])
  })

  test('drops nothing that nobody knows', () => {
    expect(shape(messagesIn(odd))).toEqual([
      'raw 1, raw 1, code 2 mended, browsing 2, plugin 2 mended, painting 1',
      'said',
    ])
  })

  test('leaves out messages that say nothing, but not one that is still to come', () => {
    const replies = said(answered(''), answered('好'))
    expect(piecesOf(replies, nothingGrows)).toHaveLength(1)
    expect(piecesOf(replies, id => id === replies[0]?.id)).toHaveLength(2)
  })

  test('of openai_api is shown even when it is empty, for how it ended', () => {
    const reply: Message = {
      ...said(answered(''))[0]!,
      source: 'openai_api',
      metadata: { source: 'openai_api', ending: 'stopped' },
    }
    expect(piecesOf([reply], nothingGrows)).toHaveLength(1)
  })

  test('that ends in a failure says so', () => {
    expect(
      shape(
        said(
          asked('算'),
          called('python', '1/0'),
          replied('python', { content_type: 'stderr', text: 'ZeroDivisionError' }),
        ),
      ),
    ).toEqual(['code 2 failed'])
  })

  test('of a tool that is no known one is the answer of a plugin', () => {
    expect(shape(said(asked('查'), { role: 'tool', name: 'atlas', content: text('{}') }))).toEqual(['plugin 1'])
  })
})

describe('the seconds of a step', () => {
  const stepsOf = (messages: readonly Message[]) =>
    piecesOf(turnsOf(messages)[0]?.replies ?? [], nothingGrows).flatMap(piece =>
      piece.kind === 'steps' ? piece.steps : [],
    )

  test('are those of the run, else those between call and answer', () => {
    const [failed, mended, browsing] = stepsOf(messagesIn(heatPump)).map(secondsOf)
    expect(failed).toBeCloseTo(0.42)
    expect(mended).toBeCloseTo(3.2)
    expect(browsing).toBeCloseTo(3.8)
  })

  test('are not known of a single message, nor across a pause of hours', () => {
    expect(stepsOf(said(asked('算'), called('python', '1'))).map(secondsOf)).toEqual([null])
    expect(
      stepsOf(
        said(
          asked('算'),
          called('python', '1'),
          replied('python', { content_type: 'execution_output', text: '1' }, undefined, 90_000),
        ),
      ).map(secondsOf),
    ).toEqual([null])
  })
})
