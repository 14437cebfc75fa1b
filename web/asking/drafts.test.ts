import { describe, expect, test } from 'vitest'
import { openDrafts } from './drafts.ts'

function aPlace(entries: Record<string, string> = {}) {
  const kept = new Map(Object.entries(entries))
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => { kept.set(name, value) },
    removeItem: (name: string) => { kept.delete(name) },
  }
}

describe('a draft', () => {
  test('is there again after a reload', () => {
    const place = aPlace()
    const drafts = openDrafts(1, place)
    drafts.keep('a', '半句话')
    drafts.flush()
    expect(openDrafts(1, place).read('a')).toBe('半句话')
  })
  test('belongs to one conversation and one person', () => {
    const place = aPlace()
    const drafts = openDrafts(1, place)
    drafts.keep('a', '半句话')
    drafts.flush()
    expect(openDrafts(1, place).read('b')).toBe('')
    expect(openDrafts(2, place).read('a')).toBe('')
  })
  test('that is blank leaves nothing behind', () => {
    const place = aPlace()
    const drafts = openDrafts(1, place)
    drafts.keep('a', '半句话')
    drafts.keep('a', ' ')
    drafts.flush()
    expect(place.getItem('drafts.1')).toBe(null)
  })
  test('of another tab is not written over', () => {
    const place = aPlace()
    const [one, other] = [openDrafts(1, place), openDrafts(1, place)]
    one.keep('a', '这一页')
    one.flush()
    other.keep('b', '那一页')
    other.flush()
    expect(openDrafts(1, place).read('a')).toBe('这一页')
  })
  test('tells who shows it', () => {
    const drafts = openDrafts(1, aPlace())
    const seen: string[] = []
    drafts.subscribe(() => seen.push(drafts.read('a')))
    drafts.keep('a', '字')
    expect(seen).toEqual(['字'])
  })
  test('of which storage holds nonsense is empty', () => {
    expect(openDrafts(1, aPlace({ 'drafts.1': '[{' })).read('a')).toBe('')
    expect(openDrafts(1, aPlace({ 'drafts.1': '{"a":7}' })).read('a')).toBe('')
  })
  test('lives as long as the page when nothing can be stored', () => {
    const full = () => { throw new DOMException('full', 'QuotaExceededError') }
    const drafts = openDrafts(1, { getItem: full, setItem: full, removeItem: full })
    drafts.keep('a', '半句话')
    drafts.flush()
    expect(drafts.read('a')).toBe('半句话')
  })
})

describe('a text that was sent', () => {
  test('is no draft any more', () => {
    const drafts = openDrafts(1, aPlace())
    drafts.keep('a', '几点了')
    drafts.send('a')
    expect(drafts.read('a')).toBe('')
  })
  test('is one again when the page is left before the server has it', () => {
    const place = aPlace()
    const drafts = openDrafts(1, place)
    drafts.keep('a', '几点了')
    drafts.send('a')
    expect(openDrafts(1, place).read('a')).toBe('几点了')
  })
  test('is gone once it was accepted, and what was written since moves to the conversation’s own id', () => {
    const place = aPlace()
    const drafts = openDrafts(1, place)
    drafts.keep('new_conversation', '几点了')
    drafts.send('new_conversation')
    drafts.keep('new_conversation', '还有')
    drafts.accepted('new_conversation', 'id')
    drafts.flush()
    const later = openDrafts(1, place)
    expect([later.read('new_conversation'), later.read('id')]).toEqual(['', '还有'])
  })
  test('from elsewhere leaves the draft alone, and becomes one when the page is left before the server has it', () => {
    const place = aPlace()
    const drafts = openDrafts(1, place)
    drafts.keep('a', '还有')
    drafts.hold('a', '改过的问题')
    expect(drafts.read('a')).toBe('还有')
    drafts.flush()
    expect(openDrafts(1, place).read('a')).toContain('改过的问题')
    drafts.accepted('a', 'a')
    drafts.flush()
    expect(openDrafts(1, place).read('a')).toBe('还有')
  })
  test('comes back before what was written since', () => {
    const drafts = openDrafts(1, aPlace())
    drafts.keep('a', '几点了')
    drafts.send('a')
    drafts.keep('a', '还有')
    drafts.putBack('a', '几点了')
    expect(drafts.read('a')).toBe('几点了\n\n还有')
  })
})
