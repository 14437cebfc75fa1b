import { describe, expect, test } from 'vitest'
import { type Message, textOf, withText } from '#contract/messages.ts'
import { aQuestion, grown } from '#testing/upstream.ts'
import type { ProviderEvent } from '../provider.ts'
import { codesOf } from './message.ts'
import { dalle, event, interpreter, message, QUESTION_ID, question, RECORDED, text } from './recorded.testing.ts'
import { webAnswer } from './webAnswer.ts'

type Raw = Record<string, unknown>

/** What is emitted of these events. */
function answered(given: readonly Raw[], { most = 100_000, end = true } = {}) {
  const events: ProviderEvent[] = []
  const answer = webAnswer(
    {
      question: { ...aQuestion('openai_web'), parent: QUESTION_ID },
      question_id: QUESTION_ID,
      text: 'What is new?',
      parents: new Map([[QUESTION_ID, null]]),
      codeOf: codesOf({ gpt_4: 'gpt-4', gpt_4_browsing: 'gpt-4-browsing' }),
      most,
    },
    each => events.push(each),
  )
  for (const each of given)
    if (typeof each['message'] === 'object' && each['message'] !== null)
      answer.take(each['message'] as Raw, JSON.stringify(each).length) // an object, as seen just now
  if (end) answer.end()
  return { events, answer, messages: folded(events) }
}

/** The messages that the events add up to, as a reader has them at the end. */
function folded(events: readonly ProviderEvent[]): Message[] {
  const messages = new Map<string, Message>()
  let latest: Message | undefined
  for (const each of events) {
    if (each.type === 'message') messages.set(each.message.id, (latest = each.message))
    if (each.type !== 'text' || latest === undefined) continue
    latest = { ...latest, content: withText(latest.content, textOf(latest) + each.text) }
    messages.set(latest.id, latest)
  }
  return [...messages.values()]
}

const growing = (words: string, more: Raw = {}): Raw =>
  event(message(1, 'assistant', text(words), { status: 'in_progress', ...more }))
const kinds = (events: readonly ProviderEvent[]) => events.map(({ type }) => type)

describe('a recorded answer', () => {
  test.each(Object.entries(RECORDED))('of several messages is ours, each behind the one before: %s', (_name, given) => {
    const { messages } = answered(given)
    const [repeated, ...others] = messages
    expect(repeated).toMatchObject({
      id: QUESTION_ID,
      role: 'user',
      parent: null,
      content: { parts: ['What is new?'] },
    })
    expect(others.map(({ parent }) => parent)).toEqual([QUESTION_ID, ...others.slice(0, -1).map(({ id }) => id)])
    for (const { source, metadata, create_time } of messages) {
      expect([source, metadata?.source]).toEqual(['openai_web', 'openai_web'])
      expect(create_time).toMatch(/^2023-11-14T/)
    }
    expect(others.at(-1)?.metadata).toMatchObject({
      end_turn: true,
      recipient: 'all',
      finish_details: { type: 'stop' },
    })
  })
  test('of browsing has what was searched, read, quoted and cited; a hidden system message before it is not in it', () => {
    const [, , searched, found, quoted, said] = answered(RECORDED.browsing).messages
    expect(searched).toMatchObject({
      model: 'gpt_4_browsing',
      content: { content_type: 'code', language: 'unknown', text: 'search("Penang Hill")' },
      metadata: { recipient: 'browser', message_status: 'finished_successfully', weight: 1 },
    })
    expect(found).toMatchObject({
      role: 'tool',
      author_name: 'browser',
      model: null,
      content: { content_type: 'tether_browsing_display', result: '# 0†Penang Hill†hill.example', summary: null },
      metadata: {
        command: 'search',
        args: ['Penang Hill'],
        status: 'finished',
        _cite_metadata: { metadata_list: [{ title: 'Penang Hill' }], original_query: null },
      },
    })
    expect(quoted).toMatchObject({ content: { content_type: 'tether_quote', domain: 'hill.example' } })
    expect(said?.metadata).toMatchObject({ citations: [{ start_ix: 29, citation_format_type: 'tether_og' }] })
  })
  test('of the interpreter has its runs as they end, with errors and pictures', () => {
    const { events, messages } = answered(interpreter)
    const runs = messages.flatMap(({ metadata }) =>
      metadata?.source === 'openai_web' ? [metadata.aggregate_result] : [],
    )
    expect(runs.filter(run => run !== undefined)).toMatchObject([
      { status: 'failed_with_in_kernel_exception', in_kernel_exception: { name: 'NameError' } },
      {
        status: 'success',
        messages: [{ message_type: 'image', width: 640 }],
        jupyter_messages: [{ msg_type: 'status' }],
      },
    ])
    // Somebody who follows it sees that it runs.
    expect(events).toContainEqual(
      expect.objectContaining({
        message: expect.objectContaining({
          metadata: expect.objectContaining({ aggregate_result: expect.objectContaining({ status: 'running' }) }),
        }),
      }),
    )
  })
  test('of pictures keeps them with what they were painted by, and what was refused', () => {
    const [, , painted, refused] = answered(dalle).messages
    expect(painted?.content).toMatchObject({
      parts: [
        { asset_pointer: 'file-service://file-Hill', fovea: 512, metadata: { dalle: { gen_id: 'g1', seed: 40 } } },
      ],
    })
    expect(refused?.content).toEqual({ content_type: 'system_error', name: 'tool_error', text: 'Not this one.' })
  })
  test('keeps content of a type that nobody knows, and a model without a code by its name', () => {
    const hologram = answered(RECORDED.files).messages.find(
      ({ metadata }) => metadata?.['fallback_content'] !== undefined,
    )
    expect(hologram).toMatchObject({
      content: { content_type: 'text', parts: ['new'] },
      metadata: { fallback_content: { content_type: 'hologram', frames: [1, 2], note: 'new' } },
    })
    expect(answered(RECORDED.plugins).messages[1]).toMatchObject({ model: 'gpt-4-plugins' })
  })
})

describe('the question that an upstream repeats', () => {
  test('is told once, under its own id, also where it comes under another', () => {
    const other = event(message(7, 'user', text('What is new?')))
    for (const given of [[question, question], [other]])
      expect(answered([...given, growing('x')]).messages.map(({ id }) => id)).toEqual([
        QUESTION_ID,
        'aaaaaaaa-0000-4000-8000-000000000001',
      ])
  })
  test('is none that somebody else has asked', () => {
    expect(answered([event(message(7, 'user', text('another'))), growing('x')]).messages).toHaveLength(1)
  })
})

describe('a message that comes whole again and again', () => {
  test('is emitted once, and then what was appended', () => {
    const { events } = answered([growing(''), growing('Hel'), growing('Hello'), growing('Hello'), growing('Hello 😀')])
    expect(kinds(events)).toEqual(['message', 'text', 'text', 'text', 'message'])
    expect(grown(events)).toBe('Hello 😀')
  })
  test('is not begun before there is something to be seen of it, nor cut within a character', () => {
    expect(answered([growing(''), growing(' \n')], { end: false }).events).toEqual([])
    const { events } = answered([growing('a\ud83d'), growing('a\ud83d\ude00')])
    expect(events.flatMap(each => (each.type === 'text' ? [each.text] : []))).toEqual(['a', '😀'])
  })
  test('is emitted whole where it shrinks or changes, and is what it is at the end', () => {
    const { events } = answered([growing('Hello world'), growing('Hello'), growing('Hello there')])
    expect(kinds(events)).toEqual(['message', 'text', 'message', 'text', 'message'])
    expect(grown(events)).toBe('Hello there')
  })
  test('that changes each time is emitted as often as the allowance lasts, and at the end', () => {
    const long = 'x'.repeat(10_000)
    const many = Array.from({ length: 2_000 }, (_, at) => growing(`${at} ${long}`))
    const { events } = answered(many)
    expect(JSON.stringify(events).length).toBeLessThan(1_000_000)
    expect(grown(events)).toBe(`1999 ${long}`)
  })
  test('of two that take turns costs no more', () => {
    const long = 'x'.repeat(10_000)
    const many = Array.from({ length: 2_000 }, (_, at) =>
      event(message(1 + (at % 2), 'assistant', text(long + String(at)), { status: 'in_progress' })),
    )
    const { events, messages } = answered(many)
    expect(JSON.stringify(events).length).toBeLessThan(1_500_000)
    expect(messages.map(textOf)).toEqual([`${long}1998`, `${long}1999`])
  })
  test('tells what is said beside its text when that changes', () => {
    const cited = { metadata: { model_slug: 'gpt-4', citations: [{ start_ix: 0, end_ix: 1 }] } }
    const { events, messages } = answered([growing('Hello'), growing('Hello', cited), growing('Hello world', cited)], {
      end: false,
    })
    expect(kinds(events)).toEqual(['message', 'text', 'message', 'text'])
    expect(messages[0]).toMatchObject({ metadata: { citations: [{ end_ix: 1 }] }, content: { parts: ['Hello world'] } })
  })
  test('goes on under its own id where it stood', () => {
    const events: ProviderEvent[] = []
    const answer = webAnswer(
      {
        question: { ...aQuestion('openai_web'), continues: true, parent: 'before' },
        question_id: null,
        text: '',
        parents: new Map([['before', 'asked']]),
        codeOf: codesOf(),
        most: 100,
      },
      each => events.push(each),
    )
    answer.take({ ...message(1, 'assistant', text('more')), id: 'before' }, 300)
    answer.end()
    expect(folded(events)).toMatchObject([{ id: 'before', parent: 'asked' }])
  })
})

describe('an answer from outside', () => {
  test('is cut where it is too long, over all its messages, and says so', () => {
    const first = event(message(1, 'assistant', text('x'.repeat(60)), { end_turn: false }))
    const { answer, messages } = answered([first, event(message(2, 'assistant', text('😀'.repeat(40))))], { most: 101 })
    expect(answer.isFull()).toBe(true)
    expect(messages.map(each => textOf(each).length)).toEqual([60, 40])
    expect(messages[1]?.metadata).toMatchObject({ finish_details: { type: 'max_tokens' } })
  })
  test('has no more messages, and no more beside its text, than anybody means', () => {
    const many = Array.from({ length: 300 }, (_, at) => event(message(at, 'assistant', text('x'))))
    expect(answered(many).messages).toHaveLength(200)
    const heavy = event(message(1, 'assistant', text('x'), { metadata: { padding: 'y'.repeat(17 * 1024 * 1024) } }))
    expect(answered([heavy]).answer.isFull()).toBe(true)
  })
  test('says nothing in our name, and nothing that cannot be stored', () => {
    const metadata = {
      source: 'openai_api',
      ending: 'failed',
      failure: { tip: 'errors.x', values: null, charged: true },
      citations: 'odd',
      weight: 'odd',
      'a\0b': ['\ud800', { deep: '\0' }],
    }
    const given = event(message(1, 'assistant', text('a\0b'), { metadata, weight: 'odd', recipient: 7 }))
    const [said] = answered([given]).messages
    expect(said?.content).toEqual({ content_type: 'text', parts: ['a\uFFFDb'] })
    expect(said?.metadata).toEqual({
      source: 'openai_web',
      message_status: 'finished_successfully',
      end_turn: null,
      'a\ufffdb': ['\ufffd', { deep: '\ufffd' }],
    })
  })
  test('is ignored where it is no message: without an id, with a long one or one that cannot be stored, of nobody', () => {
    const base = message(1, 'assistant', text('x'))
    for (const id of [undefined, 7, '', 'x'.repeat(65), 'a\0'])
      expect(answered([event({ ...base, id }), growing('x')]).messages).toMatchObject([{ parent: QUESTION_ID }])
    expect(answered([event({ ...base, id: 'x'.repeat(64) })]).events).not.toEqual([])
    expect(answered([event({ ...base, author: null })]).events).toEqual([])
  })
})
