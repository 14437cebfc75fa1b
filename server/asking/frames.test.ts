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
/** The texts of the original page, under `errors.`, and what its server sends besides. */
const OLD_KEYS = [
  ...'403 404 loginExpired userNotLogin askError conversationNotFound conversationAlreadyDeleted missingMessage'.split(
    ' ',
  ),
  ...'paidModelNotAvailable userNotAllowToUsePaidModel userNotAllowToUseGPT4Model noAvailableAskCount timeout'.split(
    ' ',
  ),
  ...'noAvailableGPT4AskCount chatgptResponseError unknownError requestValidationError userAlreadyExists'.split(' '),
  ...'unauthorized badCredentials maxConversationCountReached cannotConnectMoreThanOneClient noUserSelected httpError'.split(
    ' ',
  ),
  ...'invalidParams invalidRequest internal noAvailableTotalAskCount noAvailableModelAskCount arkoseError'.split(' '),
  ...'userChatTypeExpired userNotAllowToAskAtThisTime teamConversationNotAllowed'.split(' '),
  ...['400', '401', '403', '404', '429', '500', 'unknown'].map(status => `openai.${status}`),
  ...'invalidAskRequest userNotAllowToUseChatType chatTypeNotEnabled userNotAllowToUseModel'.split(' '),
  ...'modelNotEnabled uploadingNotAllowed'.split(' '),
]
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
      expect(AskResponse.parse(JSON.parse(errorResponse(failure)))).toMatchObject({
        type: 'error',
        error_detail: expect.stringMatching(/^[A-Z][^{}]*[.] [(]retry_after_seconds: 4[)]$/),
      })
    }
  })
  test('of an error has a key that old clients know, and English words, never nothing or a key', () => {
    for (const key of KEYS) {
      const { tip, error_detail } = AskResponse.parse(JSON.parse(errorResponse({ key, values: {} })))
      expect(OLD_KEYS, key).toContain(tip?.replace('errors.', ''))
      expect(error_detail, key).toMatch(/^[A-Z][\w ,’-]+[.]/)
      expect(oldClosingOf({ key, values: {} }).reason).toBe(tip)
    }
  })
  test.each([
    ['noAvailableTotalAskCount', 'noAvailableTotalAskCount', CLOSE.refused],
    ['userNotAllowToUseChatType', 'userNotAllowToUseChatType', CLOSE.refused],
    ['cannotConnectMoreThanOneClient', 'cannotConnectMoreThanOneClient', CLOSE.refused],
    ['askedTooOften', 'noAvailableAskCount', CLOSE.refused],
    ['conversationGone', 'conversationNotFound', CLOSE.refused],
    ['invalidAskRequest', 'invalidAskRequest', CLOSE.invalidRequest],
    ['httpError', 'httpError', CLOSE.upstream],
    ['openai.429', 'openai.429', CLOSE.upstream],
    ['openai.quota', 'openai.429', CLOSE.upstream],
    ['openai.contextTooLong', 'openai.400', CLOSE.upstream],
    ['openai.cutOff', 'openai.unknown', CLOSE.upstream],
    ['upstreamTimeout', 'timeout', CLOSE.upstream],
    ['diskFull', 'internal', CLOSE.internal],
    ['databaseUnreachable', 'internal', CLOSE.internal],
    ['serverStopping', 'internal', CLOSE.restart],
    ['interrupted', 'askError', CLOSE.restart],
  ] as const)('of %s is %s to old clients, closed with %i', (key, known, code) => {
    expect(oldClosingOf({ key, values: {} })).toEqual({ code, reason: `errors.${known}` })
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
