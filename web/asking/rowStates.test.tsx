import { afterEach, describe, expect, test, vi } from 'vitest'
import type { ConversationRecord } from '#contract/conversations.ts'
import { until } from '#testing/until.ts'
import { words } from '#testing/messages.ts'
import type { AskState } from './asks/askState.ts'
import { aHistory, aMessage, anAsk } from './builders.testing.ts'
import { aRecord, ID, openTestPortal, withId } from './portal.testing.tsx'
import { rowStateOf, rowStateOfRecord } from './rowStates.ts'

const OTHER = '11111111-2222-4333-8444-555555555555'
const question = aMessage({ id: 'q1', role: 'user', content: words('几点了') })
const part = aMessage({ id: 'a1', role: 'assistant', parent: 'q1', content: words('三点') })

afterEach(() => {
  vi.unstubAllGlobals()
})

test('an answer that is interrupted while another conversation is open is marked so, until somebody opens it', async () => {
  let running: object = { running_ask: 'ask-9' }
  const portal = await openTestPortal(
    {
      'GET /conv': () => [{ ...aRecord(ID, '时间'), ...running }, aRecord(OTHER, '别的')],
      [`GET /conv/${ID}`]: { ...withId(aHistory(question), ID), running_ask: 'ask-9' },
      [`GET /conv/${OTHER}`]: withId(aHistory(question, part), OTHER),
    },
    `/conversation?id=${ID}`,
  )
  const socket = await portal.socket()
  await until(() => expect(socket.sent).toEqual([{ resume: 'ask-9', after: 0 }]))
  socket.emit(
    { type: 'accepted', ask_id: 'ask-9', conversation_id: ID, question },
    { n: 3, type: 'message', message: part },
  )
  await portal.screen.getByRole('link', { name: '别的' }).click()
  running = { broken_off: true }
  const metadata = { source: 'openai_api', ending: 'interrupted' }
  socket.emit({ type: 'finished', outcome: 'interrupted', charged: true, messages: [{ ...part, metadata }] })
  socket.end(1012, 'errors.interrupted')
  await portal.screen.getByTestId('composer').hover() // a row under the pointer shows its menu instead
  await expect.element(portal.screen.getByText('中断', { exact: true })).toBeVisible()
  await expect.element(portal.screen.getByText('新回答')).not.toBeInTheDocument()
  await portal.screen.getByRole('link', { name: '时间' }).click()
  await expect.element(portal.screen.getByText('中断', { exact: true })).not.toBeInTheDocument()
  await expect.element(portal.screen.getByText('回答中断了，已收到的部分留着')).toBeVisible()
})

const kindOf = (state: AskState, words = '') =>
  rowStateOf(
    anAsk({
      state,
      replies: [aMessage({ id: 'a', role: 'assistant', content: { content_type: 'text', text: words } })],
    }),
  )?.kind ?? null

const failed = (charged: boolean | null, tip = 'errors.httpError'): AskState => ({
  phase: 'failed',
  tip,
  values: null,
  charged,
})

const storedRecord = (more: Partial<ConversationRecord> = {}): ConversationRecord => ({
  id: 1,
  source: 'openai_api',
  conversation_id: 'c',
  source_id: null,
  title: '',
  user_id: 1,
  is_valid: true,
  current_model: null,
  create_time: '2026-11-20T06:00:00.000Z',
  update_time: null,
  ...more,
})

describe('the row of a conversation', () => {
  test('says in which state its ask is', () => {
    expect(rowStateOf(anAsk({ state: { phase: 'queueing', position: 2, estimate_seconds: null } }))).toEqual({
      kind: 'queueing',
      position: 2,
    })
    expect(kindOf({ phase: 'waiting' })).toBe('replying')
  })
  test('distinguishes a partial answer from none', () => {
    expect(kindOf(failed(true), '三点')).toBe('interrupted')
    expect(kindOf(failed(false))).toBe('failed')
  })
  test('still says that it is being answered when only the session of the page has ended', () => {
    expect(kindOf(failed(null, 'errors.loginExpired'), '三点')).toBe('replying')
  })
  test('marks an unseen answer, or an unseen part of one', () => {
    expect(rowStateOfRecord(storedRecord(), true)).toEqual({ kind: 'answered' })
    expect(rowStateOfRecord(storedRecord({ broken_off: true }), true)).toEqual({ kind: 'interrupted' })
    expect(rowStateOfRecord(storedRecord({ broken_off: true }), false)).toBe(null)
    expect(rowStateOfRecord(storedRecord(), false)).toBe(null)
  })
  test('has no mark of its own while an ask runs', () => {
    expect(rowStateOfRecord(storedRecord({ running_ask: 'ask-9' }), true)).toBe(null)
  })
  test('says that there is no answer, even after that has been seen', () => {
    expect(rowStateOfRecord(storedRecord({ unanswered: true }), false)).toEqual({ kind: 'failed' })
  })
})
