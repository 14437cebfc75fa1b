import { describe, expect, test } from 'vitest'
import { deltaReader, isDelta } from './deltas.ts'

const STARTED = { p: '', o: 'add', v: { message: { id: 'a', content: { parts: ['He'] }, metadata: {} } }, c: 0 }

/** The message after these frames. */
function after(...frames: object[]) {
  const reader = deltaReader(1_000_000)
  for (const frame of [STARTED, ...frames]) reader.take(frame, JSON.stringify(frame).length)
  return reader.at(0)?.event['message']
}

const textAfter = (...frames: object[]) => {
  const message = after(...frames) as { content: { parts: unknown[] } }
  return message.content.parts
}

const PARTS = '/message/content/parts/0'

describe('the changes of a message', () => {
  test('are appended, replaced, added, truncated and removed', () => {
    expect(textAfter({ p: PARTS, o: 'append', v: 'llo' })).toEqual(['Hello'])
    expect(textAfter({ p: PARTS, o: 'replace', v: 'Bye' })).toEqual(['Bye'])
    expect(textAfter({ p: '/message/content/parts/-', o: 'add', v: 'more' })).toEqual(['He', 'more'])
    expect(textAfter({ p: '/message/content/parts/0', o: 'add', v: 'more' })).toEqual(['more', 'He'])
    expect(textAfter({ p: '/message/content/parts', o: 'append', v: ['more'] })).toEqual(['He', 'more'])
    expect(textAfter({ p: PARTS, o: 'truncate', v: 1 })).toEqual(['H'])
    expect(textAfter({ p: PARTS, o: 'remove' })).toEqual([])
    expect(after({ p: '/message/metadata', o: 'append', v: { a: 1 } })).toMatchObject({ metadata: { a: 1 } })
    expect(after({ p: '/message/metadata/x/y~1z', o: 'add', v: 1 })).toMatchObject({ metadata: { x: { 'y/z': 1 } } })
  })
  test('go on where the frame before them was', () => {
    expect(textAfter({ p: PARTS, o: 'append', v: 'l' }, { v: 'l' }, { v: 'o' })).toEqual(['Hello'])
    expect(textAfter({ p: PARTS, o: 'append', v: 'l' }, { o: 'replace', v: 'x' })).toEqual(['x'])
  })
  test('come in lists, and lists in lists', () => {
    const patch = [
      { p: PARTS, o: 'append', v: 'y' },
      { v: '!' },
      { p: '/message', o: 'patch', v: [{ p: '/status', o: 'replace', v: 'finished_successfully' }] },
    ]
    expect(after({ p: '', o: 'patch', v: patch })).toMatchObject({
      content: { parts: ['Hey!'] },
      status: 'finished_successfully',
    })
    expect(
      textAfter({ o: 'patch', v: [{ p: PARTS, o: 'append', v: 'y' }] }, { v: [{ p: PARTS, o: 'append', v: '!' }] }),
    ).toEqual(['Hey!'])
  })
  test('are of the message whose number they name, else of the last', () => {
    const reader = deltaReader(1_000)
    const second = { v: { message: { id: 'b', content: { parts: [''] } } }, c: 1 }
    for (const frame of [STARTED, second, { p: PARTS, o: 'append', v: 'two' }, { c: 0, v: 'y' }]) reader.take(frame, 10)
    expect([reader.at(0)?.event, reader.at(1)?.event]).toMatchObject([
      { message: { content: { parts: ['Hey'] } } },
      { message: { content: { parts: ['two'] } } },
    ])
  })
  test('leave what was there as it was, so that each state can be compared with the one before', () => {
    const reader = deltaReader(1_000)
    reader.take(STARTED, 10)
    const before = reader.at(0)?.event
    reader.take({ p: PARTS, o: 'append', v: 'y' }, 10)
    expect(before).toEqual(STARTED.v)
  })
})

describe('changes from outside', () => {
  test.each<object>([
    { p: '/__proto__/polluted', o: 'add', v: 1 },
    { p: '/message/constructor/prototype/polluted', o: 'add', v: 1 },
    { p: '/message/content/parts/99999999', o: 'add', v: 1 },
    { p: '/message/content/parts/-1', o: 'add', v: 1 },
    { p: '/message/content/parts/3', o: 'append', v: 'x' },
    { p: '/message/content/parts/0/x', o: 'add', v: 1 },
    { p: 'message', o: 'add', v: 1 },
    { p: `/${'a/'.repeat(100)}`, o: 'add', v: 1 },
    { p: `/message/${'a'.repeat(10_000)}`, o: 'add', v: 1 },
    { p: PARTS, o: 'truncate', v: -1 },
    { p: PARTS, o: 'truncate', v: 'all' },
    { p: PARTS, o: 'append', v: { a: 1 } },
    { p: PARTS, o: 'explode', v: 1 },
    { p: '', o: 'patch', v: 'x' },
    { p: '', o: 'patch', v: [null, 'x', { p: 7, o: 8 }] },
    { p: '', o: 'append', v: 'x' },
  ])('that make no sense change nothing: %#', frame => {
    expect(after(frame)).toEqual(STARTED.v.message)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
  test('before any message make none', () => {
    const reader = deltaReader(1_000)
    expect(reader.take({ v: 'x' }, 9)).toBeNull()
    expect(reader.take({ p: PARTS, o: 'append', v: 'x' }, 9)).not.toBe(1)
  })
  test('are bounded in their number, and in what they add up to', () => {
    const many = Array.from({ length: 5_000 }, () => ({ p: PARTS, o: 'append', v: 'x' }))
    expect(textAfter({ p: '', o: 'patch', v: many })[0]).toHaveLength(2 + 999)
    const reader = deltaReader(1_000)
    reader.take(STARTED, 10)
    for (let at = 0; at < 100; at += 1) reader.take({ p: PARTS, o: 'append', v: 'x'.repeat(100) }, 150)
    expect(JSON.stringify(reader.at(0)?.event).length).toBeLessThan(1_100)
    const numbers = deltaReader(1_000_000)
    for (let c = 0; c < 2_000; c += 1) numbers.take({ ...STARTED, c }, 10)
    expect([numbers.at(399)?.length, numbers.at(400)]).toEqual([10, undefined])
  })
})

test('an event that is a change has a value, and is neither a message nor a notice', () => {
  expect([{ v: 1 }, { p: '', o: 'add', v: {} }].map(isDelta)).toEqual([true, true])
  expect([{ message: {}, v: 1 }, { type: 'title_generation', v: 1 }, {}].map(isDelta)).toEqual([false, false, false])
})
