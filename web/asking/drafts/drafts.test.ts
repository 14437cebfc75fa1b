import { describe, expect, test } from 'vitest'
import { type Drafts, openDrafts } from './drafts.ts'
import type { Tab } from './tab.ts'

function aPlace(entries: Record<string, string> = {}) {
  const kept = new Map(Object.entries(entries))
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => {
      kept.set(name, value)
    },
    removeItem: (name: string) => {
      kept.delete(name)
    },
    names: () => [...kept.keys()],
  }
}

/** After a reload. */
const TAB: Tab = { id: 'tab', isNew: false }

/** Several tabs of one browser: what one writes is told to the others, some time later. */
function aBrowser(entries: Record<string, string> = {}) {
  const place = aPlace(entries)
  const tabs = new Map<string, Drafts>()
  const news: { from: string; name: string }[] = []
  const seenFrom = (from: string) => ({
    ...place,
    setItem(name: string, value: string) {
      place.setItem(name, value)
      news.push({ from, name })
    },
    removeItem(name: string) {
      place.removeItem(name)
      news.push({ from, name })
    },
  })
  return {
    open(id: string, isNew = true) {
      const drafts = openDrafts(1, seenFrom(id), { id, isNew })
      tabs.set(id, drafts)
      return drafts
    },
    close: (id: string) => {
      tabs.delete(id)
    },
    tellAll() {
      for (let each = news.shift(); each !== undefined; each = news.shift()) {
        for (const [id, drafts] of tabs) if (id !== each.from) drafts.heard(each.name)
      }
    },
    forget() {
      for (const name of place.names()) seenFrom('signing out').removeItem(name)
    },
    names: place.names,
  }
}

describe('a draft', () => {
  test('is there again after a reload', () => {
    const place = aPlace()
    const drafts = openDrafts(1, place, TAB)
    drafts.keep('a', '半句话')
    drafts.flush()
    expect(openDrafts(1, place, TAB).read('a')).toBe('半句话')
  })
  test('belongs to one conversation and one person', () => {
    const place = aPlace()
    const drafts = openDrafts(1, place, TAB)
    drafts.keep('a', '半句话')
    drafts.flush()
    expect(openDrafts(1, place, TAB).read('b')).toBe('')
    expect(openDrafts(2, place, TAB).read('a')).toBe('')
  })
  test('that is blank leaves nothing behind', () => {
    const place = aPlace()
    const drafts = openDrafts(1, place, TAB)
    drafts.keep('a', '半句话')
    drafts.keep('a', ' ')
    drafts.flush()
    expect(place.getItem('drafts.tab.1')).toBe(null)
  })
  test('moves to before what is written elsewhere', () => {
    const drafts = openDrafts(1, aPlace(), TAB)
    drafts.keep('gone', '半句话')
    drafts.keep('new_conversation', '还有')
    drafts.move('gone', 'new_conversation')
    expect([drafts.read('gone'), drafts.read('new_conversation')]).toEqual(['', '半句话\n\n还有'])
  })
  test('moves together with what was being changed in questions there', () => {
    const drafts = openDrafts(1, aPlace(), TAB)
    drafts.keep('gone/q1', '改过的一')
    drafts.keep('gone/q2', '改过的二')
    drafts.keep('gone', '半句话')
    drafts.keep('stays/q1', '别处的')
    drafts.move('gone', 'new_conversation')
    expect(drafts.read('new_conversation')).toBe('半句话\n\n改过的一\n\n改过的二')
    expect([drafts.read('gone/q1'), drafts.read('gone'), drafts.read('stays/q1')]).toEqual(['', '', '别处的'])
  })
  test('tells who shows it', () => {
    const drafts = openDrafts(1, aPlace(), TAB)
    const seen: string[] = []
    drafts.subscribe(() => seen.push(drafts.read('a')))
    drafts.keep('a', '字')
    expect(seen).toEqual(['字'])
  })
  test('of which storage holds nonsense is empty', () => {
    expect(openDrafts(1, aPlace({ 'drafts.tab.1': '[{' }), TAB).read('a')).toBe('')
    expect(openDrafts(1, aPlace({ 'drafts.tab.1': '{"a":7}' }), TAB).read('a')).toBe('')
  })
  test('lives as long as the page when nothing can be stored', () => {
    const full = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    const drafts = openDrafts(1, { getItem: full, setItem: full, removeItem: full, names: () => [] }, TAB)
    drafts.keep('a', '半句话')
    drafts.flush()
    expect(drafts.read('a')).toBe('半句话')
  })
})

describe('a text that was sent', () => {
  test('is a draft again when the page is left before the server has it', () => {
    const place = aPlace()
    openDrafts(1, place, TAB).hold('a', 'ask', '几点了')
    expect(openDrafts(1, place, TAB).read('a')).toBe('几点了')
  })
  test('comes back once, also when it is written on and the page is left again', () => {
    const place = aPlace()
    openDrafts(1, place, TAB).hold('a', 'ask', '几点了')
    const later = openDrafts(1, place, TAB)
    later.keep('a', '几点了，现在？')
    later.flush()
    expect(openDrafts(1, place, TAB).read('a')).toBe('几点了，现在？')
  })
  test('is gone once it was accepted, and what was written since moves to the conversation’s own id', () => {
    const place = aPlace()
    const drafts = openDrafts(1, place, TAB)
    drafts.hold('new_conversation', 'ask', '几点了')
    drafts.keep('new_conversation', '还有')
    drafts.accepted('new_conversation', 'ask', 'id')
    drafts.flush()
    const later = openDrafts(1, place, TAB)
    expect([later.read('new_conversation'), later.read('id')]).toEqual(['', '还有'])
  })
  test('leaves the draft alone, and others that were sent as well', () => {
    const place = aPlace()
    const drafts = openDrafts(1, place, TAB)
    drafts.keep('a', '还有')
    drafts.hold('a', 'refused', '第一个问题')
    drafts.hold('a', 'ask', '第二个问题')
    expect(drafts.read('a')).toBe('还有')
    drafts.accepted('a', 'ask', 'a')
    drafts.flush()
    const later = openDrafts(1, place, TAB).read('a')
    expect(later).toContain('第一个问题')
    expect(later).not.toContain('第二个问题')
  })
  test('that is given up is held no more', () => {
    const place = aPlace()
    const drafts = openDrafts(1, place, TAB)
    drafts.hold('a', 'ask', '几点了')
    drafts.release('a', 'ask')
    drafts.flush()
    expect(openDrafts(1, place, TAB).read('a')).toBe('')
  })
  test('is put back before what was written since', () => {
    const drafts = openDrafts(1, aPlace(), TAB)
    drafts.keep('a', '还有')
    drafts.putBack('a', '几点了')
    expect(drafts.read('a')).toBe('几点了\n\n还有')
  })
})

describe('the drafts of a tab', () => {
  function written(browser: ReturnType<typeof aBrowser>, id: string, text: string) {
    const drafts = browser.open(id)
    browser.tellAll()
    drafts.keep('new_conversation', text)
    drafts.flush()
    return drafts
  }

  test('are not touched by what is written, sent or deleted in another one', () => {
    const browser = aBrowser()
    const other = browser.open('b')
    written(browser, 'a', '这一页')
    other.keep('new_conversation', '字')
    other.flush()
    other.keep('new_conversation', '')
    other.hold('new_conversation', 'ask', '那一页')
    other.accepted('new_conversation', 'ask', 'id')
    browser.tellAll()
    expect(browser.open('a', false).read('new_conversation')).toBe('这一页')
  })
  test('go to the next new one when it is no more, once', () => {
    const browser = aBrowser()
    written(browser, 'a', '这一页')
    browser.close('a')
    expect(browser.open('b').read('new_conversation')).toBe('这一页')
    expect(browser.open('a', false).read('new_conversation')).toBe('')
  })
  test('stay there while it lives, also when another one is opened and written in at once', () => {
    const browser = aBrowser()
    const first = written(browser, 'a', '这一页')
    const other = browser.open('b')
    other.keep('new_conversation', `${other.read('new_conversation')}那一页`)
    browser.tellAll()
    expect(first.read('new_conversation')).toBe('这一页')
    expect(other.read('new_conversation')).toBe('那一页')
    expect(browser.open('a', false).read('new_conversation')).toBe('这一页')
  })
  test('stay in the one they went to when the closed one is opened again and written in', () => {
    const browser = aBrowser()
    written(browser, 'a', '这一页')
    browser.close('a')
    const other = browser.open('b')
    const again = browser.open('a', false)
    again.keep('new_conversation', '后来的')
    again.flush()
    browser.tellAll()
    expect([other.read('new_conversation'), again.read('new_conversation')]).toEqual(['这一页', '后来的'])
  })
  test('are told from those of another one that is no more', () => {
    const browser = aBrowser()
    written(browser, 'a', '第一页')
    written(browser, 'b', '第二页')
    browser.close('a')
    const third = browser.open('c')
    browser.tellAll()
    expect(third.read('new_conversation')).toBe('第一页')
  })
  test('are as they were when they were kept for all tabs together', () => {
    expect(aBrowser({ 'drafts.1': '{"a":"半句话"}' }).open('a').read('a')).toBe('半句话')
    expect(aBrowser({ 'drafts.11': '{"a":"别人的"}' }).open('a').read('a')).toBe('')
  })
  test('are taken by no other one that only cannot keep them', () => {
    const full = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    const kept = aPlace({ 'drafts.a.1': '{"a":"半句话"}' })
    openDrafts(1, { ...kept, setItem: full }, { id: 'b', isNew: true })
    expect(kept.getItem('drafts.a.1')).not.toBe(null)
  })
  test('do not come back when whoever wrote them has signed out elsewhere', () => {
    const browser = aBrowser()
    written(browser, 'a', '这一页')
    browser.forget()
    browser.tellAll()
    expect(browser.names()).toEqual([])
  })
})
