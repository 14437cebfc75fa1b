import { expect, test } from 'vitest'
import { writeQueue } from './writeQueue.ts'

const LONGEST_WAIT = 250

function aLine() {
  let now = 0
  const line = writeQueue<string>(() => now, LONGEST_WAIT)
  return {
    ...line,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

test('writers have their turn in the order in which they came', () => {
  const line = aLine()
  expect([line.isEmpty(), line.next()]).toEqual([true, undefined])
  line.join('first', false)
  line.join('second', false)
  expect([line.isEmpty(), line.next(), line.next(), line.next(), line.isEmpty()]).toEqual([
    false,
    'first',
    'second',
    undefined,
    true,
  ])
})

test('whoever gives way lets pass who came later', () => {
  const line = aLine()
  line.join('ending', true)
  line.join('asking', false)
  line.join('chunks', true)
  line.join('asking too', false)
  expect([line.next(), line.next(), line.next(), line.next()]).toEqual(['asking', 'asking too', 'ending', 'chunks'])
})

test('but not for longer than a while, however many come', () => {
  const line = aLine()
  line.join('ending', true)
  line.pass(LONGEST_WAIT)
  line.join('asking', false)
  line.join('asking too', false)
  expect(line.next()).toBe('asking')
  line.join('chunks', true)
  line.pass(1)
  expect([line.next(), line.next(), line.next()]).toEqual(['ending', 'asking too', 'chunks'])
})
