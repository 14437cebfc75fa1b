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
  test('is a draft again when the page is left before the server has it', () => {
    const place = aPlace()
    openDrafts(1, place).hold('a', 'ask', '几点了')
    expect(openDrafts(1, place).read('a')).toBe('几点了')
  })
  test('comes back once, also when it is written on and the page is left again', () => {
    const place = aPlace()
    openDrafts(1, place).hold('a', 'ask', '几点了')
    const later = openDrafts(1, place)
    later.keep('a', '几点了，现在？')
    later.flush()
    expect(openDrafts(1, place).read('a')).toBe('几点了，现在？')
  })
  test('is gone once it was accepted, and what was written since moves to the conversation’s own id', () => {
    const place = aPlace()
    const drafts = openDrafts(1, place)
    drafts.hold('new_conversation', 'ask', '几点了')
    drafts.keep('new_conversation', '还有')
    drafts.accepted('new_conversation', 'ask', 'id')
    drafts.flush()
    const later = openDrafts(1, place)
    expect([later.read('new_conversation'), later.read('id')]).toEqual(['', '还有'])
  })
  test('leaves the draft alone, and others that were sent as well', () => {
    const place = aPlace()
    const drafts = openDrafts(1, place)
    drafts.keep('a', '还有')
    drafts.hold('a', 'refused', '第一个问题')
    drafts.hold('a', 'ask', '第二个问题')
    expect(drafts.read('a')).toBe('还有')
    drafts.accepted('a', 'ask', 'a')
    drafts.flush()
    const later = openDrafts(1, place).read('a')
    expect(later).toContain('第一个问题')
    expect(later).not.toContain('第二个问题')
  })
  test('that is given up is held no more', () => {
    const place = aPlace()
    const drafts = openDrafts(1, place)
    drafts.hold('a', 'ask', '几点了')
    drafts.release('a', 'ask')
    drafts.flush()
    expect(openDrafts(1, place).read('a')).toBe('')
  })
  test('is put back before what was written since', () => {
    const drafts = openDrafts(1, aPlace())
    drafts.keep('a', '还有')
    drafts.putBack('a', '几点了')
    expect(drafts.read('a')).toBe('几点了\n\n还有')
  })
})
