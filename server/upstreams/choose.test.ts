import { describe, expect, test } from 'vitest'
import { chooseUpstream, whereNext } from './choose.ts'
import type { Candidate, Health, Upstream } from './upstream.ts'

const NOW = 1_000_000
const COOLING: Health = { state: 'cooling', until: NOW + 1, since: 0, reason: 'openai.429' }
const attention = (next_try: number): Health => ({ state: 'attention', next_try, since: 0, reason: 'openai.401' })

const anUpstream = (id: number, fields: Partial<Upstream> = {}): Upstream => ({
  id,
  source: 'openai_api',
  user_id: null,
  label: '',
  enabled: true,
  paused_since: null,
  concurrency: 10,
  health: { state: 'normal' },
  team_account_id: null,
  shared_limit: null,
  shared_limit_window_seconds: 10_800,
  modelsBy: 'row',
  isDemonstration: false,
  dialects: ['chat'],
  ...fields,
})

const candidate = (id: number, fields: Partial<Upstream> = {}, running = 0, waiting = 0): Candidate => ({
  upstream: anUpstream(id, fields),
  load: { running, waiting },
})

const chosen = (...candidates: Candidate[]) => chooseUpstream(candidates, NOW)?.id ?? null

describe('of two that are equally busy', () => {
  test('the one is asked that has not failed of late', () => {
    const load = { running: 0, waiting: 0 }
    const failed = (time: number) => ({
      upstream: anUpstream(1, { health: { state: 'normal', failures: [time] } }),
      load,
    })
    const other = { upstream: anUpstream(2), load }
    expect(chooseUpstream([failed(NOW - 1), other], NOW)?.id).toBe(2)
    expect(chooseUpstream([failed(NOW - 60_000), other], NOW)?.id).toBe(1)
  })
})

describe('a new conversation', () => {
  test('goes to the least busy upstream, measured by how many it answers at once', () => {
    expect(chosen(candidate(1, {}, 3), candidate(2, {}, 2))).toBe(2)
    expect(chosen(candidate(1, { concurrency: 2 }, 1), candidate(2, { concurrency: 100 }, 20))).toBe(2)
    expect(chosen(candidate(1, {}, 1, 5), candidate(2, {}, 4, 0))).toBe(2)
  })
  test('goes to the first of equally busy ones', () => {
    expect(chosen(candidate(1), candidate(2))).toBe(1)
    expect(chosen(candidate(2, {}, 2), candidate(1, {}, 2))).toBe(2)
  })
  test('goes round one that cools, until it has cooled', () => {
    expect(chosen(candidate(1, { health: COOLING }), candidate(2, {}, 9))).toBe(2)
    expect(chosen(candidate(1, { health: { ...COOLING, until: NOW } }), candidate(2, {}, 9))).toBe(1)
  })
  test('tries one that cools where no other is healthy', () => {
    expect(chosen(candidate(1, { health: COOLING }, 9), candidate(2, { health: COOLING }))).toBe(2)
    expect(chosen(candidate(1, { health: COOLING }))).toBe(1)
  })
  test('goes to one that needs attention when it is time to try it', () => {
    expect(chosen(candidate(1, { health: attention(NOW + 1) }), candidate(2, {}, 1))).toBe(2)
    expect(chosen(candidate(1, { health: attention(NOW) }), candidate(2, {}, 1))).toBe(1)
  })
  test('never goes to one that is paused or switched off', () => {
    expect(chosen(candidate(1, { paused_since: 5 }), candidate(2, { health: COOLING }))).toBe(2)
    expect(chosen(candidate(1, { paused_since: 5 }), candidate(2, { enabled: false }))).toBe(null)
    expect(chosen()).toBe(null)
  })
})

describe('a conversation with an endpoint', () => {
  const next = (present: Upstream | null, ...candidates: Candidate[]) =>
    whereNext({ isKept: false, present, candidates, now: NOW })

  test('stays where it is, however busy', () => {
    expect(next(anUpstream(1), candidate(1, {}, 9, 9), candidate(2))).toEqual({ next: 'stays' })
  })
  test('moves when its upstream is gone, paused, or serves the model no longer', () => {
    const moves = { next: 'moves', upstream: anUpstream(2) }
    expect(next(null, candidate(1, {}, 1), candidate(2))).toEqual(moves)
    expect(next(anUpstream(1, { paused_since: 5 }), candidate(1, { paused_since: 5 }), candidate(2))).toEqual(moves)
    expect(next(anUpstream(1), candidate(2))).toEqual(moves)
  })
  test('moves away from one that cools only where another is healthy', () => {
    const cooling = anUpstream(1, { health: COOLING })
    expect(next(cooling, candidate(1, cooling), candidate(2))).toEqual({ next: 'moves', upstream: anUpstream(2) })
    expect(next(cooling, candidate(1, cooling, 9), candidate(2, { health: COOLING }))).toEqual({ next: 'stays' })
    expect(next(cooling, candidate(1, cooling, 9))).toEqual({ next: 'stays' })
  })
  test('is refused when nobody is left who serves the model', () => {
    const refused = { next: 'refused', key: 'upstreamNotAvailable' }
    expect(next(anUpstream(1))).toEqual(refused)
    expect(next(null, candidate(2, { paused_since: 5 }))).toEqual(refused)
  })
})

describe('a conversation with the web service', () => {
  const next = (present: Upstream | null) => whereNext({ isKept: true, present, candidates: [candidate(2)], now: NOW })

  test('never moves, and waits while its account cools', () => {
    expect(next(anUpstream(1))).toEqual({ next: 'stays' })
    expect(next(anUpstream(1, { health: COOLING }))).toEqual({ next: 'stays' })
  })
  test('is refused, and told why, when its account is gone or paused', () => {
    expect(next(null)).toEqual({ next: 'refused', key: 'upstreamGone' })
    expect(next(anUpstream(1, { paused_since: 5 }))).toEqual({ next: 'refused', key: 'upstreamNotAvailable' })
  })
})
