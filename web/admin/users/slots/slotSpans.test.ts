import { describe, expect, test } from 'vitest'
import { dragged, drawn, piecesOf, slotOf, spanOf, typedMinutes, withTyped } from './slotSpans.ts'

const slot = (start: string, end: string) => ({ start_time: start, end_time: end })

describe('a slot as it is dragged', () => {
  test.each([
    [slot('07:00:00', '11:00:00'), { start: 420, length: 240 }],
    [slot('00:00:00', '23:59:59'), { start: 0, length: 1440 }],
    [slot('22:00:00', '02:00:00'), { start: 1320, length: 240 }],
    [slot('09:00:00', '09:00:00'), { start: 540, length: 1440 }],
  ])('%o is %o', (stored, span) => {
    expect(spanOf(stored)).toEqual(span)
  })
  test('an end at midnight is stored as 23:59:59', () => {
    expect(slotOf({ start: 780, length: 660 })).toEqual(slot('13:00:00', '23:59:59'))
  })
  test('its ends snap to a quarter of an hour', () => {
    expect(dragged({ start: 420, length: 240 }, 'end', 52)).toEqual({ start: 420, length: 285 })
    expect(dragged({ start: 420, length: 240 }, 'start', -8)).toEqual({ start: 405, length: 255 })
  })
  test('its end can be dragged beyond midnight, and comes in again in the morning', () => {
    expect(slotOf(dragged({ start: 1320, length: 60 }, 'end', 180))).toEqual(slot('22:00:00', '02:00:00'))
  })
  test('its start can be dragged out of the morning into the evening before', () => {
    expect(slotOf(dragged({ start: 60, length: 120 }, 'start', -120))).toEqual(slot('23:00:00', '03:00:00'))
  })
  test('as a whole it keeps its length, also over midnight', () => {
    expect(slotOf(dragged({ start: 1200, length: 120 }, 'whole', 180))).toEqual(slot('23:00:00', '01:00:00'))
    expect(slotOf(dragged({ start: 0, length: 60 }, 'whole', -30))).toEqual(slot('23:30:00', '00:30:00'))
  })
  test('it never becomes shorter than a quarter of an hour, nor longer than a day', () => {
    expect(dragged({ start: 420, length: 240 }, 'end', -900).length).toBe(15)
    expect(dragged({ start: 420, length: 240 }, 'start', 900)).toEqual({ start: 645, length: 15 })
    expect(dragged({ start: 420, length: 240 }, 'end', 3000).length).toBe(1440)
  })
  test('it is drawn in either direction', () => {
    expect(drawn(600, 480)).toEqual({ start: 480, length: 120 })
    expect(slotOf(drawn(1380, 1500))).toEqual(slot('23:00:00', '01:00:00'))
  })
  test('over midnight it has two pieces, each with one of its ends', () => {
    expect(piecesOf({ start: 1320, length: 240 })).toEqual([
      { from: 1320, to: 1440, has: ['start'] },
      { from: 0, to: 120, has: ['end'] },
    ])
  })
})

describe('a typed time', () => {
  test.each([
    ['7', 420],
    ['7:30', 450],
    ['07:30', 450],
    ['0730', 450],
    ['7：30', 450],
    ['0', 0],
    ['23:59', 1439],
    ['24:00', null],
    ['7:60', null],
    ['25', null],
    ['half past', null],
    ['', null],
  ])('%s as a start is %s', (text, minutes) => {
    expect(typedMinutes(text, false)).toBe(minutes)
  })
  test('24:00 is an end, and stored as 23:59:59', () => {
    expect(typedMinutes('24:00', true)).toBe(1440)
    expect(withTyped(slot('13:00:00', '14:00:00'), 'end', 1440)).toEqual(slot('13:00:00', '23:59:59'))
  })
})
