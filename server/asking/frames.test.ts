import { describe, expect, test } from 'vitest'
import { AskResponse, CLOSE, DeltaEvent } from '#contract/asking.ts'
import type { Message } from '#contract/messages.ts'
import { type RefusalKey, REFUSALS } from '#contract/refusals.ts'
import { anAnswer, someThoughts } from '#testing/asks.ts'
import {
  closingOf,
  encoded,
  errorEvent,
  errorResponse,
  oldClosingOf,
  phaseEvent,
  phaseResponse,
  sharedFrame,
} from './frames.ts'
import type { Phase, StoredAnswer } from './liveReply.ts'

const KEYS = Object.keys(REFUSALS) as RefusalKey[] // the keys of a literal table are its type
const PHASES: readonly Phase[] = [
  { at: 'queueing', place: 3, estimate_seconds: null, cooling_until: null },
  { at: 'queueing', place: 1, estimate_seconds: 20, cooling_until: 1_795_000_000_000 },
  { at: 'replying' },
  ...(['finished', 'stopped', 'interrupted'] as const).map(
    outcome => ({ at: 'ended', outcome, charged: true, failure: null, stored: null }) as const,
  ),
  { at: 'ended', outcome: 'failed', charged: false, failure: { key: 'openai.500', values: {} }, stored: null },
  { at: 'ended', outcome: 'finished', charged: true, failure: null, stored: aStoredAnswer() },
  {
    at: 'ended',
    outcome: 'failed',
    charged: true,
    failure: { key: 'openai.cutOff', values: {} },
    stored: aStoredAnswer(),
  },
]

function aStoredAnswer(): StoredAnswer {
  return {
    messages: [someThoughts('t', 'hm', 'q'), { ...anAnswer('m', 'Hi'), parent: 't' }],
    conversation: {
      id: 1,
      source: 'openai_api',
      conversation_id: 'c',
      source_id: null,
      title: null,
      user_id: 1,
      is_valid: true,
      current_model: 'gpt_4',
      create_time: '2026-01-01T00:00:00.000Z',
      update_time: null,
    },
  }
}

const OLD_WORDS: Partial<Record<RefusalKey, RegExp>> = {
  'openai.quota': /balance or quota/,
  'openai.contextTooLong': /longer than/,
  'openai.modelNotFound': /does not have this model/,
  'openai.contentFilter': /filter/,
  'openai.cutOff': /broke off/,
  'openai.thoughtsOnly': /no answer/,
  diskFull: /disk of the server is full/,
  diskNotWritable: /cannot be written/,
  databaseUnreachable: /cannot reach its database/,
}

describe('a close', () => {
  test('carries the key of its refusal, short enough for a close frame', () => {
    for (const key of KEYS) {
      const { reason } = closingOf(key)
      expect(reason).toBe(`errors.${key}`)
      expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(123)
    }
  })
  test('is told apart: what was asked wrongly, what a rule refuses, whom the upstream fails, what is ours, and what may be asked again', () => {
    const codes = {
      invalidAskRequest: 1007,
      noAvailableTotalAskCount: 1008,
      conversationNotFound: 1008,
      loginExpired: 1008,
      'openai.429': 1001,
      upstreamTimeout: 1001,
      httpError: 1001,
      internal: 1011,
      unknownError: 1011,
      serverStopping: 1012,
      interrupted: 1012,
    } as const
    for (const [key, code] of Object.entries(codes)) expect(closingOf(key as RefusalKey).code, key).toBe(code)
    for (const key of KEYS) expect(Object.values(CLOSE)).toContain(closingOf(key).code)
  })
})

describe('a frame', () => {
  test('is one of the contract, in whatever phase', () => {
    for (const phase of PHASES) {
      expect(DeltaEvent.safeParse(phaseEvent(phase)).success, JSON.stringify(phase)).toBe(true)
      const response = phaseResponse(phase, 'conversation')
      if (response !== null) expect(AskResponse.safeParse(JSON.parse(response)).success, response).toBe(true)
    }
  })
  test('of an error is one of the contract, for every refusal', () => {
    for (const key of KEYS) {
      const failure = { key, values: { retry_after_seconds: 4 } }
      expect(DeltaEvent.safeParse(errorEvent(failure, false)).success).toBe(true)
      if (key in OLD_WORDS) continue
      expect(AskResponse.parse(JSON.parse(errorResponse(failure)))).toMatchObject({
        type: 'error',
        tip: `errors.${key}`,
        error_detail: 'retry_after_seconds: 4',
      })
    }
  })
  test('of an error that old clients have no text for names one that they have, and says in words what it is', () => {
    for (const [key, words] of Object.entries(OLD_WORDS)) {
      const failure = { key: key as RefusalKey, values: { status: 402 } } // the keys of the table below
      const [tip, code] = key.startsWith('openai.')
        ? ['errors.openai.unknown', CLOSE.upstream]
        : ['errors.unknownError', CLOSE.internal]
      expect(AskResponse.parse(JSON.parse(errorResponse(failure)))).toMatchObject({
        tip,
        error_detail: expect.stringMatching(words),
      })
      expect(oldClosingOf(failure)).toEqual({ code, reason: tip })
    }
    expect(oldClosingOf({ key: 'openai.429', values: {} })).toEqual({ code: 1001, reason: 'errors.openai.429' })
  })
  test('of an error has no detail where there is nothing to tell', () => {
    expect(JSON.parse(errorResponse({ key: 'conversationNotFound', values: {} }))).toMatchObject({ error_detail: null })
  })
  test('leaves out what a message has nothing of, and is read as the whole message', () => {
    const message: Message = {
      id: 'm',
      source: 'openai_api',
      role: 'assistant',
      author_name: null,
      model: 'gpt_4',
      create_time: null,
      parent: null,
      children: [],
      content: { content_type: 'text', text: '' },
      metadata: { source: 'openai_api', usage: null, finish_reason: 'stop' },
    }
    const frame = encoded({ n: 1, type: 'message', message })
    expect(JSON.parse(frame)).toEqual({
      n: 1,
      type: 'message',
      message: {
        id: 'm',
        source: 'openai_api',
        role: 'assistant',
        model: 'gpt_4',
        content: { content_type: 'text', text: '' },
        metadata: { source: 'openai_api', finish_reason: 'stop' },
      },
    })
    expect(DeltaEvent.parse(JSON.parse(frame))).toEqual({
      n: 1,
      type: 'message',
      message: {
        ...message,
        metadata: { source: 'openai_api', finish_reason: 'stop' },
      },
    })
    const accepted = { type: 'accepted', ask_id: 'a', conversation_id: 'c', question: null } as const
    expect(JSON.parse(encoded(accepted))).toEqual(accepted)
  })
  test('of an end has what was stored, of each message only what there is', () => {
    const stored = aStoredAnswer()
    const phase: Phase = { at: 'ended', outcome: 'finished', charged: true, failure: null, stored }
    const frame = sharedFrame(phase)
    expect(DeltaEvent.parse(JSON.parse(frame))).toMatchObject({
      type: 'finished',
      messages: [
        { id: 't', content: { content_type: 'thoughts', text: 'hm' } },
        { id: 'm', parent: 't', children: [], content: { text: 'Hi' } },
      ],
      conversation: stored.conversation,
    })
    expect(frame).not.toContain('children')
    const failure = { key: 'openai.cutOff', values: {} } as const
    expect(phaseEvent({ ...phase, outcome: 'failed', failure })).toMatchObject({
      type: 'error',
      messages: [{ id: 't' }, { id: 'm' }],
    })
  })
  test('of an ask that was interrupted is an end, not an error', () => {
    const failure = { key: 'interrupted', values: {} } as const
    expect(phaseEvent({ at: 'ended', outcome: 'interrupted', charged: true, failure, stored: null })).toMatchObject({
      type: 'finished',
      outcome: 'interrupted',
      charged: true,
    })
  })
})
