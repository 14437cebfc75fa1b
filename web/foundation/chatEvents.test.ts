import { describe, expect, test } from 'vitest'
import { aMessage, words } from '#testing/messages.ts'
import { finalReason, pauseBefore, readFrame, unseen } from './chatEvents.ts'

const message = aMessage({ parent: 'q', content: words('') })

describe('a frame', () => {
  test('of appended text is read', () => {
    expect(readFrame('{"n":12,"t":"灯"}')).toEqual({ n: 12, t: '灯' })
  })
  test('of a message is read whole', () => {
    expect(readFrame(JSON.stringify({ n: 1, type: 'message', message }))).toEqual({ n: 1, type: 'message', message })
  })
  test.each(['', '{', 'null', '"n"', '{"n":1.5,"t":"x"}', '{"n":1}', '{"type":"tomorrow"}', '[]'])(
    '%j is passed over',
    text => {
      expect(readFrame(text)).toBe(null)
    },
  )
})

describe('the end of an ask', () => {
  test('is read even when the stored messages are of an unknown kind', () => {
    const messages = [{ id: 'm', source: 'openai_api', role: 'assistant', content: { content_type: 'hologram' } }]
    const frame = JSON.stringify({ type: 'finished', outcome: 'finished', charged: true, messages, conversation: 1 })
    expect(readFrame(frame)).toEqual({ type: 'finished', outcome: 'finished', charged: true })
  })
})

describe('the count of events', () => {
  test('a whole message counts one', () => {
    expect(unseen({ n: 1, type: 'message', message }, 0)).toEqual({
      event: { n: 1, type: 'message', message },
      after: 1,
    })
  })
  test('appended text counts one for each UTF-16 unit', () => {
    expect(unseen({ n: 3, t: '🙂' }, 1)).toEqual({ event: { n: 3, t: '🙂' }, after: 3 })
  })
  test('text that was received before is dropped', () => {
    expect(unseen({ n: 3, t: 'ab' }, 3)).toBe(null)
    expect(unseen({ n: 3, type: 'message', message }, 4)).toBe(null)
  })
  test('of a text that was received in part the rest is kept', () => {
    expect(unseen({ n: 6, t: 'abcde' }, 3)).toEqual({ event: { n: 6, t: 'cde' }, after: 6 })
  })
  test('text after a missing part is a gap', () => {
    expect(unseen({ n: 9, t: 'z' }, 3)).toBe('gap')
  })
  test('a whole message replaces everything missed before it', () => {
    expect(unseen({ n: 40, type: 'message', message }, 3)).toEqual({
      event: { n: 40, type: 'message', message },
      after: 40,
    })
  })
  test('an event without a number is not counted', () => {
    expect(unseen({ type: 'waiting', tip: 'tips.waiting' }, 3)).toEqual({
      event: { type: 'waiting', tip: 'tips.waiting' },
      after: 3,
    })
  })
})

describe('a closed socket', () => {
  test('is the end when the server refused', () => {
    expect(finalReason(1008, 'errors.queueFull')).toBe('errors.queueFull')
    expect(finalReason(1011, '')).toBe('tips.terminated')
  })
  test('is the end when the upstream failed, and not when a proxy went away', () => {
    expect(finalReason(1001, 'errors.openai.500')).toBe('errors.openai.500')
    expect(finalReason(1001, '')).toBe(null)
  })
  test.each([1005, 1006, 1012, 1013])('with code %i is worth another attempt', code => {
    expect(finalReason(code, '')).toBe(null)
  })
})

describe('the pause before an attempt', () => {
  test('grows from 0.3 s to 10 s', () => {
    expect([1, 2, 3, 6, 40].map(attempt => pauseBefore(attempt, 1))).toEqual([300, 600, 1200, 9600, 10_000])
  })
  test('has a jitter of a half', () => {
    expect(pauseBefore(1, 0)).toBe(150)
  })
})
