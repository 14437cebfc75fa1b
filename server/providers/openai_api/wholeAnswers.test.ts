import { describe, expect, test } from 'vitest'
import { isThoughts, type Message, textOf } from '#contract/messages.ts'
import { ERROR_SHAPES, FORMS, THOUGHT_SHAPES } from '#simulator/foundation/faults.ts'
import { askingProvider, PROVIDERS, type Replied, thoughtsOf } from '#testing/upstream.ts'

const THOUGHTS = '用户想要一句问候。\nBe <b>polite</b>, `a < b`.'
/** As the answers of the simulator end and begin. */
const ANSWER = 'Some of the answer then, and **more** of it.'

const asking = () => askingProvider(PROVIDERS[0]!)

describe('an answer is whole', () => {
  test.each([
    'stop',
    'STOP',
    'length',
    'MAX_TOKENS',
    'max_tokens',
    'tool_calls',
    'function_call',
    'end_turn',
    'endTurn',
    'eos',
    'stop_sequence',
    'FINISH_REASON_STOP',
    'COMPLETE',
  ])('when it ends for the reason %s', async reason => {
    const { reply, simulator } = await asking()
    simulator.nextAnswer(ANSWER)
    simulator.nextFault({ kind: 'finish', after_tokens: 5, reason, done: false })
    const { refusal, text, last } = await reply('hello')
    expect(refusal).toBe(null)
    expect(text).toBe(simulator.journal[0]?.sent)
    expect(last?.metadata).toMatchObject({
      finish_reason: expect.stringMatching(/^(stop|length|tool_calls|function_call)$/),
    })
  })

  test('when it is said to be over without any reason', async () => {
    const { reply, simulator } = await asking()
    simulator.nextFault({ kind: 'finish', after_tokens: 5, reason: null, done: true })
    expect(await reply('hello')).toMatchObject({
      refusal: null,
      text: simulator.journal[0]?.sent,
      last: { metadata: { finish_reason: null } },
    })
  })

  test.each(FORMS)('in another form: %s', async form => {
    const { reply, simulator } = await asking()
    simulator.nextAnswer(ANSWER)
    simulator.nextFault({ kind: 'form', form })
    const { refusal, text, last } = await reply('hello')
    expect(refusal).toBe(null)
    expect(text.slice(0, ANSWER.length)).toBe(ANSWER)
    expect(textOf(last!)).toBe(text)
    if (form === 'picture')
      expect(text.slice(ANSWER.length)).toMatch(/^\n\n!\[\]\(data:image\/png;base64,[\w+/=]{2000000,}\)\n\n$/)
    else if (form.startsWith('picture_'))
      expect(text.slice(ANSWER.length).trim()).toMatch(/^!\[\w*\]\((?:data|http):.+\)$/)
    else expect(text).toBe(ANSWER)
    expect(last?.metadata?.['sources']).toEqual(
      form === 'citations'
        ? [
            { title: 'Page 1', url: 'https://one.example/a' },
            { title: 'Page 2', url: 'https://two.example/b?c=d' },
          ]
        : undefined,
    )
  })

  test.each(['no_stream', 'no_usage'] as const)(
    'from an endpoint that does not know all that is asked (%s), and is asked no more than it knows from then on',
    async kind => {
      const { reply, simulator } = await asking()
      simulator.nextAnswer(ANSWER)
      simulator.nextFault({ kind })
      expect(await reply('hello')).toMatchObject({ refusal: null, text: expect.any(String) })
      expect(await reply('hello')).toMatchObject({ refusal: null, text: expect.any(String) })
      expect(
        simulator.journal.map(({ body, ended }) => [
          (body as { stream: boolean }).stream,
          'stream_options' in (body as object),
          ended,
        ]),
      ).toEqual([
        [true, true, 'fault'],
        [kind === 'no_usage', false, 'complete'],
        [kind === 'no_usage', false, 'complete'],
      ])
    },
  )
})

describe('an answer is not whole, but kept as far as it came,', () => {
  /** What came is there and told once more at its end; what came of the upstream's words is nowhere. */
  function expectKept({ text, last, refusal }: Replied, sent: string | undefined): void {
    expect(text).toBe(sent)
    expect(text).not.toBe('')
    expect(textOf(last!)).toBe(text)
    expect(JSON.stringify(refusal)).not.toContain('SECRET')
  }

  test.each([
    'error',
    'network_error',
    'insufficient_system_resource',
    'abort',
    'cancelled',
    'load',
    'two words',
    'x'.repeat(80),
  ])('when it ends for the reason %s', async reason => {
    const { reply, simulator } = await asking()
    simulator.nextFault({ kind: 'finish', after_tokens: 5, reason, done: true })
    const replied = await reply('hello')
    expectKept(replied, simulator.journal[0]?.sent)
    expect(replied.refusal).toMatchObject({ key: 'openai.cutOff', values: { reason: 'finish_reason' } })
  })

  test('when its body ends and nobody said that it is over', async () => {
    const { reply, simulator } = await asking()
    simulator.nextFault({ kind: 'finish', after_tokens: 5, reason: null, done: false })
    const replied = await reply('hello')
    expectKept(replied, simulator.journal[0]?.sent)
    expect(replied.refusal).toMatchObject({ key: 'openai.cutOff', values: { reason: 'end_of_body' } })
  })

  test.each(ERROR_SHAPES)('when an error comes in its middle (%s); or in place of it', async shape => {
    const { reply, simulator } = await asking()
    simulator.nextFault({ kind: 'error', after_tokens: 5, shape, code: 'internal_error', message: 'SECRET words' })
    const replied = await reply('hello')
    expectKept(replied, simulator.journal[0]?.sent)
    expect(replied.refusal).toMatchObject({ key: 'openai.cutOff', values: { reason: 'error' } })
    simulator.nextFault({ kind: 'error', after_tokens: 0, shape, code: 'internal_error', message: 'SECRET words' })
    expect(await reply('hello')).toMatchObject({
      refusal: { key: 'openai.cutOff', values: { reason: 'error' } },
      events: [],
    })
  })

  test.each(['content_filter', 'SAFETY', 'sensitive', 'PROHIBITED_CONTENT'])(
    'when a filter cuts it (%s); or lets nothing of it through',
    async reason => {
      const { reply, simulator } = await asking()
      for (const after_tokens of [5, 0]) {
        simulator.nextFault({ kind: 'finish', after_tokens, reason, done: true })
        const { refusal, text, events } = await reply('hello')
        expect(refusal).toMatchObject({ key: 'openai.contentFilter' })
        expect(text).toBe(simulator.journal.at(-1)?.sent)
        expect(events.length > 0).toBe(after_tokens > 0)
      }
    },
  )
})

describe('an error says what it means', () => {
  test.each([
    ['insufficient_balance', 'openai.quota', 402],
    ['insufficient_quota', 'openai.quota', 429],
    ['content_filter', 'openai.contentFilter', 400],
    ['context_length_exceeded', 'openai.contextTooLong', 400],
    ['model_not_found', 'openai.modelNotFound', 404],
  ] as const)('%s is %s, with the status and the code for the log alone', async (code, key, status) => {
    const { reply, simulator } = await asking()
    simulator.nextFault({ kind: 'status', status, code })
    const { refusal } = await reply('hello')
    expect(refusal).toMatchObject({ key, values: { status }, cause: { said: { status, code: expect.any(String) } } })
  })

  test.each([
    ['data_inspection_failed', 'Input may contain inappropriate content.', 'openai.contentFilter'],
    ['x', 'quota exceeded', 'openai.quota'],
    ['x', 'the request exceeds the available context size', 'openai.contextTooLong'],
    ['model_not_found', 'x', 'openai.modelNotFound'],
  ])('in a stream too: %s, %s', async (code, message, key) => {
    const { reply, simulator } = await asking()
    for (const after_tokens of [0, 3]) {
      simulator.nextFault({ kind: 'error', after_tokens, shape: after_tokens === 0 ? 'top' : 'event', code, message })
      const { refusal, text } = await reply('hello')
      expect(refusal?.key).toBe(key)
      expect(text).toBe(simulator.journal.at(-1)?.sent)
    }
  })
})

describe('thoughts', () => {
  test.each(THOUGHT_SHAPES.filter(shape => shape !== 'think_open' && shape !== 'think_close'))(
    'come before the answer, as a message of their own (%s)',
    async shape => {
      const { reply, simulator } = await asking()
      simulator.nextAnswer(ANSWER)
      simulator.nextFault({ kind: 'thoughts', shape, text: THOUGHTS, only: false })
      const { events, text, refusal, last } = await reply('hello')
      expect(refusal).toBe(null)
      expect(text).toBe(ANSWER)
      expect(last).toMatchObject({ id: 'reply', parent: 'thoughts', content: { text: ANSWER } })
      const messages = events.flatMap(event => (event.type === 'message' ? [event.message] : []))
      expect(messages.map(({ id }) => id)).toEqual(['thoughts', 'thoughts', 'reply', 'reply'])
      const [partial, whole] = messages as [Message, Message] // four of them, as seen just now
      expect(partial).toMatchObject({
        role: 'assistant',
        parent: 'question',
        content: { content_type: 'thoughts', text: '', seconds: null },
        metadata: { source: 'openai_api' },
      })
      expect(whole.content).toEqual({ content_type: 'thoughts', text: THOUGHTS, seconds: expect.any(Number) })
      const appended = events.slice(
        0,
        events.findLastIndex(event => event.type === 'message' && isThoughts(event.message)),
      )
      expect(
        appended
          .map(event => (event.type === 'text' ? event.text : ''))
          .join('')
          .trim(),
      ).toBe(THOUGHTS)
    },
  )

  test.each(THOUGHT_SHAPES)('without an answer are told, and are none (%s)', async shape => {
    const { reply, simulator } = await asking()
    simulator.nextFault({ kind: 'thoughts', shape, text: THOUGHTS, only: true })
    const { events, refusal } = await reply('hello')
    expect(refusal).toMatchObject({ key: 'openai.thoughtsOnly' })
    const messages = events.flatMap(event => (event.type === 'message' ? [event.message] : []))
    // Those that only a closing tag tells of began as the answer.
    const thoughts = shape === 'think_close' ? messages.slice(1) : messages
    expect(thoughts.every(isThoughts)).toBe(true)
    expect(messages.at(-1)?.content).toMatchObject({ text: THOUGHTS })
  })

  test('count towards the length of the answer', async () => {
    const { reply, simulator } = await asking()
    simulator.nextFault({ kind: 'thoughts', shape: 'reasoning', text: 'x'.repeat(2_000), only: false })
    const { refusal, events } = await reply('hello', { max_answer_length: 1_000 })
    expect(refusal).toMatchObject({ key: 'openai.thoughtsOnly' })
    expect(thoughtsOf(events)).toHaveLength(1_000)
  })
})

test.each([
  ['white space', ' \n\n\u00a0\u3000\u200b '],
  ['direction marks', '\u202e\u200f\u2066'.repeat(1_000)],
  ['joiners', '\u200c\u200d\u2060\ufeff'],
  ['control characters', '\u0001\u0008\u001b'],
])('%s alone is no answer, and said to be without visible text', async (_what, text) => {
  const { reply, simulator } = await asking()
  simulator.nextAnswer(text)
  expect(await reply('hello')).toMatchObject({ refusal: { key: 'openai.noVisibleText' }, events: [] })
})

describe('the first token', () => {
  test('may come later than every further one; neither the role nor comments are one', async () => {
    const { reply, simulator } = await asking()
    simulator.nextFault({ kind: 'slow_first_token', delay_ms: 400 })
    expect(await reply('hello', { read_timeout: 0.1 })).toMatchObject({
      refusal: null,
      text: simulator.journal[0]?.sent,
    })
    simulator.nextFault({ kind: 'slow_first_token', delay_ms: 60_000 })
    const { refusal } = await reply('hello', { first_token_timeout: 0.3 })
    expect(refusal).toMatchObject({ key: 'upstreamTimeout', values: { setting: 'openai_api.first_token_timeout' } })
  })

  test('of an answer that is not streamed is all of it, which has the time of a whole answer', async () => {
    const { reply, simulator } = await asking()
    simulator.nextFault({ kind: 'no_stream' })
    await reply('hello')
    simulator.nextFault({ kind: 'slow_first_byte', delay_ms: 400 })
    expect(await reply('hello', { first_token_timeout: 0.1, read_timeout: 0.1 })).toMatchObject({ refusal: null })
    simulator.nextFault({ kind: 'slow_first_byte', delay_ms: 60_000 })
    expect((await reply('hello', { ask_timeout: 0.3 })).refusal).toMatchObject({
      key: 'upstreamTimeout',
      values: { setting: 'openai_api.ask_timeout' },
    })
  })
})
