import { expect, test } from 'vitest'
import { writeQueue } from './groupCommit.ts'

const MAX_WAIT = 250

function aQueue() {
  let now = 0
  const queue = writeQueue<string>(() => now, MAX_WAIT)
  return {
    ...queue,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

test('units come out in the order in which they came', () => {
  const queue = aQueue()
  expect([queue.isEmpty(), queue.next()]).toEqual([true, undefined])
  queue.join('first', false)
  queue.join('second', false)
  expect([queue.isEmpty(), queue.next(), queue.next(), queue.next(), queue.isEmpty()]).toEqual([
    false,
    'first',
    'second',
    undefined,
    true,
  ])
})

test('a unit of low priority lets later ones go first', () => {
  const queue = aQueue()
  queue.join('ending', true)
  queue.join('asking', false)
  queue.join('chunks', true)
  queue.join('asking too', false)
  expect([queue.next(), queue.next(), queue.next(), queue.next()]).toEqual(['asking', 'asking too', 'ending', 'chunks'])
})

test('but not for longer than a while, however many come', () => {
  const queue = aQueue()
  queue.join('ending', true)
  queue.pass(MAX_WAIT)
  queue.join('asking', false)
  queue.join('asking too', false)
  expect(queue.next()).toBe('asking')
  queue.join('chunks', true)
  queue.pass(1)
  expect([queue.next(), queue.next(), queue.next()]).toEqual(['ending', 'asking too', 'chunks'])
})
