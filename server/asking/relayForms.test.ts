import { describe, expect, test } from 'vitest'
import type { Dialect } from '#contract/gateway.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'
import { aForm, aRelay, aTool } from '#testing/relay.ts'
import { anUpstream } from '#testing/upstreams.ts'
import { formFor, isSpokenBy, speaking } from './relayForms.ts'

const NOW = 1_000_000

const asking = (...dialects: Dialect[]) => {
  const { to } = aTool()
  return aRelay(to, {}, { forms: dialects.map(dialect => aForm(to, { dialect })) })
}

const candidate = (id: number, dialects: Dialect[], fields: Partial<Upstream> = {}) => ({
  upstream: anUpstream({ id, dialects, ...fields }),
  load: { running: 0, waiting: 0 },
})

const COOLING = { health: { state: 'cooling', until: NOW + 1_000, since: NOW, reason: 'openai.429' } } as const

const idsOf = (found: ReturnType<typeof speaking>): number[] => found.map(({ upstream }) => upstream.id)

describe('the form of a request', () => {
  test('is the first that the upstream speaks, in the order of the request', () => {
    const relay = asking('responses', 'messages', 'chat')
    expect(formFor(relay, { dialects: ['chat', 'messages'] })?.dialect).toBe('messages')
    expect(formFor(relay, { dialects: [] })).toBe(null)
  })
  test('is nothing that an ask of the page needs', () => {
    expect(isSpokenBy(null, { dialects: [] })).toBe(true)
    expect(isSpokenBy(asking('messages'), { dialects: ['chat'] })).toBe(false)
  })
})

describe('the upstreams for a request', () => {
  test('are those that take its best form', () => {
    const all = [candidate(1, ['chat']), candidate(2, ['chat', 'messages']), candidate(3, ['messages'])]
    expect(idsOf(speaking(asking('messages', 'chat'), all, NOW))).toEqual([2, 3])
    expect(idsOf(speaking(asking('responses', 'chat'), all, NOW))).toEqual([1, 2])
    expect(idsOf(speaking(asking('responses'), all, NOW))).toEqual([])
  })
  test('are those of the next form while none of the best is healthy', () => {
    const all = [candidate(1, ['chat']), candidate(2, ['messages'], COOLING)]
    expect(idsOf(speaking(asking('messages', 'chat'), all, NOW))).toEqual([1])
  })
  test('are those of the best form all the same, when none is healthy at all', () => {
    const all = [candidate(1, ['chat'], COOLING), candidate(2, ['messages'], COOLING)]
    expect(idsOf(speaking(asking('messages', 'chat'), all, NOW))).toEqual([2])
  })
  test('are all of them for an ask of the page', () => {
    expect(idsOf(speaking(null, [candidate(1, []), candidate(2, ['chat'])], NOW))).toEqual([1, 2])
  })
})
