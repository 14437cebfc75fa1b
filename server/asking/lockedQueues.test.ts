import { describe, expect, test } from 'vitest'
import { roundOf, turnOrder } from './lockedQueues.ts'

type Ask = {
  borrows: boolean
  lent: number
  name: string
  user_id: number
  round: number
  ticket: number
  ask_state: 'asking' | 'queueing'
}

/** As the database tells them. */
function roundsOf(user_id: number, queue: readonly Ask[]) {
  const rounds = (which: (ask: Ask) => boolean) =>
    queue
      .filter(which)
      .map(each => each.round)
      .toSorted((a, b) => a - b)
  return {
    latest_running: rounds(each => each.ask_state === 'asking').at(-1) ?? null,
    first_waiting: rounds(each => each.ask_state === 'queueing')[0] ?? null,
    latest_own: rounds(each => each.user_id === user_id).at(-1) ?? null,
  }
}

/**
 * Everybody asks in this order, and one is answered at a time; gives the order of the answers. The later ones ask when
 * the first has ended.
 */
function answered(asked: readonly string[], later: readonly string[] = []): string[] {
  let queue: Ask[] = []
  let ticket = 0
  const ask = (name: string): void => {
    const user_id = name.charCodeAt(0)
    queue.push({
      name,
      user_id,
      ...{ borrows: false, lent: 0 },
      round: roundOf(roundsOf(user_id, queue)),
      ticket: ++ticket,
      ask_state: queue.length === 0 ? 'asking' : 'queueing',
    })
  }
  const order: string[] = []
  asked.forEach(ask)
  while (queue.length > 0) {
    const running = queue.find(each => each.ask_state === 'asking')
    if (running !== undefined) {
      order.push(running.name)
      queue = queue.filter(each => each !== running)
      if (order.length === 1) later.forEach(ask)
    }
    const next = turnOrder(queue.filter(each => each.ask_state === 'queueing'))[0]
    if (next !== undefined) next.ask_state = 'asking'
  }
  return order
}

const aTurn = (turn: Partial<Parameters<typeof turnOrder>[0][number]>) => ({
  ...{ user_id: 1, borrows: false, round: 0, lent: 0, ticket: 1 },
  ...turn,
})

describe('turns', () => {
  test('go to the oldest ticket first', () => {
    expect(
      turnOrder([aTurn({ user_id: 2, ticket: 2 }), aTurn({ user_id: 1, ticket: 1 })]).map(({ ticket }) => ticket),
    ).toEqual([1, 2])
    expect(answered(['a', 'b', 'c'])).toEqual(['a', 'b', 'c'])
  })
  test('of whoever is within their share come before those of whoever borrows, in later rounds too', () => {
    const waiting = [
      aTurn({ ticket: 1, borrows: true }),
      aTurn({ ticket: 2, round: 1 }),
      aTurn({ ticket: 3, borrows: true, round: 1 }),
      aTurn({ ticket: 4 }),
    ]
    expect(turnOrder(waiting).map(({ ticket }) => ticket)).toEqual([4, 2, 1, 3])
  })
  test('of a round are first those of whoever lent more, then the older ones', () => {
    const waiting = [
      aTurn({ ticket: 1 }),
      aTurn({ ticket: 2, lent: 2_000 }),
      aTurn({ ticket: 3, lent: 3_000 }),
      aTurn({ ticket: 4, lent: 2_000 }),
      aTurn({ ticket: 5, lent: 9_000, round: 1 }),
    ]
    expect(turnOrder(waiting).map(({ ticket }) => ticket)).toEqual([3, 2, 4, 1, 5])
  })
  test('go round the people: nobody’s second ask before everybody’s first, nor the third before the second', () => {
    expect(answered(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'])).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })
  test('of newcomers come behind those of the round that is being answered', () => {
    expect(answered(['a1', 'a2', 'a3'], ['b1', 'c1'])).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
  })
  test('count what a person has running', () => {
    expect(answered(['a1', 'a2', 'b1'])).toEqual(['a1', 'b1', 'a2'])
  })
})

describe('the round of a new ask', () => {
  const empty = { latest_running: null, first_waiting: null, latest_own: null }
  test('is the first one in an empty queue', () => {
    expect(roundOf(empty)).toBe(0)
  })
  test('is never one that has been before, however long an early answer takes', () => {
    expect(roundOf({ ...empty, latest_running: 7, latest_own: 0 })).toBe(7)
    expect(roundOf({ ...empty, latest_running: 7, latest_own: 7 })).toBe(8)
    expect(roundOf({ ...empty, first_waiting: 7 })).toBe(7)
  })
})
