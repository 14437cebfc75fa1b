import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { afterEvent, type Ask, hasText, isAwaited } from './askState.ts'
import { aMessage, anAsk } from '../builders.testing.ts'

const later = (ask: Ask, ...events: Parameters<typeof afterEvent>[1][]) =>
  events.reduce((now, event) => afterEvent(now, event, 5000), ask)
const reply = aMessage({ id: 'reply', role: 'assistant' })

describe('an ask', () => {
  test('is waiting for its first word when the question was accepted', () => {
    const question = aMessage({ id: 'q', role: 'user' })
    const ask = later(anAsk(), { type: 'accepted', ask_id: 'ask', conversation_id: 'c', question })
    expect(ask).toMatchObject({ conversation_id: 'c', question, state: { phase: 'waiting' }, since: 5000 })
  })
  test('knows its position in the queue', () => {
    const queueing = { type: 'queueing', tip: 'tips.queueing', place: 2, estimate_seconds: 80 } as const
    expect(later(anAsk(), queueing).state).toEqual({ phase: 'queueing', position: 2, estimate_seconds: 80 })
    const cooling_until = '2026-11-20T06:31:00.000Z'
    expect(later(anAsk(), { ...queueing, cooling_until }).state).toMatchObject({ position: 2, cooling_until })
  })
  test('is replying from the first message on', () => {
    expect(later(anAsk(), { n: 1, type: 'message', message: reply })).toMatchObject({
      replies: [reply],
      state: { phase: 'replying' },
    })
  })
  test('is the same object after text alone, so that nothing renders for it', () => {
    const ask = later(anAsk(), { n: 1, type: 'message', message: reply })
    expect(later(ask, { n: 3, t: '三点' })).toBe(ask)
  })
  test('has one message of each id, in the order in which they began', () => {
    const second = aMessage({ id: 'second', role: 'tool' })
    const complete = aMessage({ id: 'reply', role: 'assistant', content: { content_type: 'text', text: '三点半' } })
    const ask = later(
      anAsk(),
      { n: 1, type: 'message', message: reply },
      { n: 2, type: 'message', message: second },
      { n: 3, type: 'message', message: complete },
    )
    expect(ask.replies).toEqual([complete, second])
  })
  test('takes no question that the upstream repeats for an answer', () => {
    const ask = anAsk({ question: aMessage({ id: 'q', role: 'user' }) })
    const repeated = aMessage({ id: 'theirs', role: 'user' })
    expect(later(ask, { n: 1, type: 'message', message: repeated })).toBe(ask)
  })
})

describe('the end of an ask', () => {
  const record = {
    id: 1,
    source: 'openai_api',
    conversation_id: 'c',
    source_id: null,
    title: null,
    user_id: 1,
    is_valid: true,
    current_model: 'gpt_4',
    create_time: '2026-01-01T00:00:00.000Z',
    update_time: '2026-01-01T00:00:01.000Z',
  } as const
  const stored = aMessage({ id: 'stored', role: 'assistant', content: { content_type: 'text', text: '三点半' } })

  test.each([
    { type: 'finished', outcome: 'stopped' },
    { type: 'error', tip: 'errors.openai.cutOff', values: null },
  ] as const)('replaces what was received with what is stored: $type', end => {
    const ask = later(
      anAsk(),
      { n: 1, type: 'message', message: reply },
      { ...end, charged: true, messages: [stored], conversation: record },
    )
    expect(ask).toMatchObject({ replies: [stored], isStored: true, record })
    expect(hasText(ask)).toBe(true)
  })
  test('leaves what was received where nothing could be stored', () => {
    const seen = later(anAsk(), { n: 1, type: 'message', message: reply })
    const error = { type: 'error', tip: 'errors.diskFull', values: null, charged: false } as const
    expect(later(seen, error)).toMatchObject({ replies: [reply], isStored: false, record: null })
  })
  test('brings text where a stored answer is a picture alone, and none where it is thoughts alone', () => {
    const picture = aMessage({
      id: 'p',
      role: 'tool',
      content: { content_type: 'multimodal_text', parts: [{ asset_pointer: 'file-service://x' }] },
    })
    const thoughts = aMessage({
      id: 't',
      role: 'assistant',
      content: { content_type: 'thoughts', text: '嗯', seconds: 3 },
    })
    const end = (messages: Message[]) =>
      later(anAsk(), { type: 'finished', outcome: 'finished', charged: true, messages })
    expect([hasText(end([picture])), hasText(end([thoughts]))]).toEqual([true, false])
  })
  test.each(['finished', 'stopped', 'interrupted'] as const)('%s says whether it counted', outcome => {
    expect(later(anAsk(), { type: 'finished', outcome, charged: true }).state).toEqual({
      phase: outcome,
      charged: true,
    })
  })
  test('by a refusal keeps its key and values', () => {
    const error = {
      type: 'error',
      tip: 'errors.askedTooOften',
      values: { retry_after_seconds: 40 },
      charged: false,
    } as const
    expect(later(anAsk(), error).state).toEqual({
      phase: 'failed',
      tip: 'errors.askedTooOften',
      values: { retry_after_seconds: 40 },
      charged: false,
    })
  })
  test('by a refusal says how long the wait was since its turn', () => {
    const error = { type: 'error', tip: 'errors.upstreamTimeout', values: null, charged: false } as const
    const asked = { state: { phase: 'waiting' }, since: 1000 } as const
    expect(afterEvent(anAsk(asked), error, 61_400).state).toMatchObject({ waited_seconds: 60 })
    expect(
      afterEvent(anAsk({ ...asked, state: { phase: 'queueing', position: 1, estimate_seconds: null } }), error, 61_400)
        .state,
    ).not.toHaveProperty('waited_seconds')
  })
  test('that is reported twice keeps the first reason', () => {
    const error = { type: 'error', tip: 'errors.openai.500', values: null, charged: false } as const
    expect(later(anAsk(), error, { type: 'finished', outcome: 'failed', charged: true }).state).toMatchObject({
      tip: 'errors.openai.500',
      charged: true,
    })
  })
  test('without a reason is an unknown error', () => {
    expect(later(anAsk(), { type: 'finished', outcome: 'failed', charged: false }).state).toMatchObject({
      phase: 'failed',
      tip: 'errors.unknownError',
    })
  })
  test('is not awaited any more', () => {
    expect(isAwaited(anAsk().state)).toBe(true)
    expect(isAwaited(later(anAsk(), { type: 'finished', outcome: 'stopped', charged: false }).state)).toBe(false)
  })
})

describe('the connection of an ask', () => {
  test('is lost until the next event', () => {
    const lost = later(anAsk(), { type: 'connection', state: 'lost', attempt: 2, blocked: false })
    expect(lost.connection).toEqual({ state: 'lost', attempt: 2, blocked: false })
    expect(later(lost, { type: 'waiting', tip: 'tips.waiting' }).connection).toEqual({ state: 'open' })
  })
  test('takes nothing from the state', () => {
    const replying = later(anAsk(), { n: 1, type: 'message', message: reply })
    expect(later(replying, { type: 'connection', state: 'lost', attempt: 1, blocked: false }).state).toEqual({
      phase: 'replying',
    })
  })
  test('that is resumed leaves an answer replying', () => {
    const replying = later(anAsk(), { n: 1, type: 'message', message: reply })
    const again = later(replying, { type: 'accepted', ask_id: 'ask', conversation_id: 'c', question: null })
    expect(again.state).toEqual({ phase: 'replying' })
  })
})
