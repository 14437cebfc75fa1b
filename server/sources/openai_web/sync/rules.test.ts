import { describe, expect, test } from 'vitest'
import type { ListedConversation } from '#server/providers/ports.ts'
import { changesOf, endAfter, isShort, type KnownConversation, MAX_LISTED, nothingSeen, take } from './rules.ts'

const known = (fields: Partial<KnownConversation> = {}): KnownConversation => ({
  ...{ id: 1, title: 'Tea', has_own_title: false, source_id: null, gone_upstream_time: null },
  ...fields,
})
const listed = (title: string | null = 'Tea', id = 'a'): ListedConversation => ({ id, title, create_time: null })

describe('the title of a known conversation', () => {
  test.each([
    ['is left alone where nothing changed', 'Tea', 'Tea', {}],
    ['follows upstream’s', 'Tea', 'Milk', { title: 'Milk' }],
    ['is upstream’s where there was none', null, 'Tea', { title: 'Tea' }],
    ['stays where upstream has none', 'Tea', null, {}],
    ['stays where upstream’s is none that can be shown', 'Tea', ' \n ', {}],
    ['is one line of what upstream has', 'Tea', ' a\nb ', { title: 'a b' }],
    ['is the beginning of a long one', null, 'x'.repeat(300), { title: 'x'.repeat(200) }],
  ])('%s', (_, title, theirs, changes) => {
    expect(changesOf(known({ title }), listed(theirs), null)).toEqual(changes)
  })
  test('that a person gave stays, unless it was lost', () => {
    expect(changesOf(known({ title: 'Mine', has_own_title: true }), listed('Milk'), null)).toEqual({})
    expect(changesOf(known({ title: null, has_own_title: true }), listed('Milk'), null)).toEqual({ title: 'Milk' })
  })
})

describe('a conversation that is listed again', () => {
  test('can be continued again', () => {
    expect(changesOf(known({ gone_upstream_time: 5 }), listed(), null)).toEqual({ gone_upstream_time: null })
  })
  test('is one of the team when the team lists it, and stays one', () => {
    expect(changesOf(known(), listed(), 'team')).toEqual({ source_id: 'team' })
    expect(changesOf(known({ source_id: 'team' }), listed(), null)).toEqual({})
    expect(changesOf(known({ source_id: 'team' }), listed(), 'other')).toEqual({})
  })
})

describe('a listing', () => {
  const page = (...ids: string[]) => ids.map(id => listed('Tea', id))
  /** How it ends, and what of it was new. */
  function read(...pages: ListedConversation[][]) {
    const seen = nothingSeen()
    for (const each of pages) {
      const fresh = take(seen, each)
      const end = endAfter(seen, each, fresh.length)
      if (end !== null) return { end, ids: [...seen.ids] }
    }
    return { end: null, ids: [...seen.ids] }
  }

  test('is whole when an empty page follows', () => {
    expect(read(page('a', 'b'), page('c'), [])).toEqual({ end: 'whole', ids: ['a', 'b', 'c'] })
    expect(read(page('a', 'b'), page('c'))).toMatchObject({ end: null })
  })
  test('is empty, which says nothing', () => {
    expect(read([])).toMatchObject({ end: 'empty' })
  })
  test('that has something twice is not whole, and goes on as long as there is something new', () => {
    expect(read(page('a', 'b'), page('b', 'c'), [])).toEqual({ end: 'repeated', ids: ['a', 'b', 'c'] })
  })
  test('that only repeats itself ends', () => {
    expect(read(page('a', 'b'), page('a', 'b'), page('a', 'b'))).toEqual({ end: 'repeated', ids: ['a', 'b'] })
  })
  test('that does not end is ended', () => {
    // of so many, nobody looks at each
    const seenSoFar = (size: number) => ({ ...nothingSeen(), ids: { size } as Set<string> })
    expect(endAfter(seenSoFar(MAX_LISTED - 1), page('a'), 1)).toBe(null)
    expect(endAfter(seenSoFar(MAX_LISTED), page('a'), 1)).toBe('endless')
    expect(endAfter({ ...nothingSeen(), pages: 20_000 }, page('a'), 1)).toBe('endless')
  })
  test('gives no ids that cannot be asked for', () => {
    const wrong = ['', 'a b', 'é', `x${'x'.repeat(200)}`, 'a\0']
    expect(take(nothingSeen(), page('a', ...wrong, 'x'.repeat(200))).map(({ id }) => id)).toEqual([
      'a',
      'x'.repeat(200),
    ])
  })
  test('is too short when more than a few, and more than a quarter, are missing', () => {
    expect([20, 21].map(missing => isShort({ known: 40, missing }))).toEqual([false, true])
    expect([250, 251].map(missing => isShort({ known: 1000, missing }))).toEqual([false, true])
  })
})
