import { describe, expect, test } from 'vitest'
import { type Drafts, filesKey, openDrafts, type Tab } from './drafts.ts'

function aStorage(entries: Record<string, string> = {}) {
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

/** The tab after a reload. */
const TAB: Tab = { id: 'tab', isNew: false }

/** Several tabs of one browser. What one stores is notified to the others when the test says so. */
function aBrowser(entries: Record<string, string> = {}) {
  const storage = aStorage(entries)
  const tabs = new Map<string, Drafts>()
  const changes: { from: string; name: string }[] = []
  const seenFrom = (from: string) => ({
    ...storage,
    setItem(name: string, value: string) {
      storage.setItem(name, value)
      changes.push({ from, name })
    },
    removeItem(name: string) {
      storage.removeItem(name)
      changes.push({ from, name })
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
    notifyAll() {
      for (let each = changes.shift(); each !== undefined; each = changes.shift()) {
        for (const [id, drafts] of tabs) if (id !== each.from) drafts.storageChanged(each.name)
      }
    },
    forget() {
      for (const name of storage.names()) seenFrom('signing out').removeItem(name)
    },
    names: storage.names,
  }
}

describe('a draft', () => {
  test('is there again after a reload', () => {
    const storage = aStorage()
    const drafts = openDrafts(1, storage, TAB)
    drafts.keep('a', '半句话')
    drafts.flush()
    expect(openDrafts(1, storage, TAB).read('a')).toBe('半句话')
  })
  test('belongs to one conversation and one user', () => {
    const storage = aStorage()
    const drafts = openDrafts(1, storage, TAB)
    drafts.keep('a', '半句话')
    drafts.flush()
    expect(openDrafts(1, storage, TAB).read('b')).toBe('')
    expect(openDrafts(2, storage, TAB).read('a')).toBe('')
  })
  test('that is blank is removed', () => {
    const storage = aStorage()
    const drafts = openDrafts(1, storage, TAB)
    drafts.keep('a', '半句话')
    drafts.keep('a', ' ')
    drafts.flush()
    expect(storage.getItem('drafts.tab.1')).toBe(null)
  })
  test('moves before the draft of another conversation', () => {
    const drafts = openDrafts(1, aStorage(), TAB)
    drafts.keep('gone', '半句话')
    drafts.keep('new_conversation', '还有')
    drafts.move('gone', 'new_conversation')
    expect([drafts.read('gone'), drafts.read('new_conversation')]).toEqual(['', '半句话\n\n还有'])
  })
  test('moves together with edited questions', () => {
    const drafts = openDrafts(1, aStorage(), TAB)
    drafts.keep('gone/q1', '改过的一')
    drafts.keep('gone/q2', '改过的二')
    drafts.keep('gone', '半句话')
    drafts.keep('stays/q1', '别处的')
    drafts.move('gone', 'new_conversation')
    expect(drafts.read('new_conversation')).toBe('半句话\n\n改过的一\n\n改过的二')
    expect([drafts.read('gone/q1'), drafts.read('gone'), drafts.read('stays/q1')]).toEqual(['', '', '别处的'])
  })
  test('notifies its subscribers', () => {
    const drafts = openDrafts(1, aStorage(), TAB)
    const seen: string[] = []
    drafts.subscribe(() => seen.push(drafts.read('a')))
    drafts.keep('a', '字')
    expect(seen).toEqual(['字'])
  })
  test('is empty when the storage has nonsense', () => {
    expect(openDrafts(1, aStorage({ 'drafts.tab.1': '[{' }), TAB).read('a')).toBe('')
    expect(openDrafts(1, aStorage({ 'drafts.tab.1': '{"a":7}' }), TAB).read('a')).toBe('')
  })
  test('stays in memory when nothing can be stored', () => {
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
  test('is a draft again when the page is left before it is accepted', () => {
    const storage = aStorage()
    openDrafts(1, storage, TAB).hold('a', 'ask', '几点了')
    expect(openDrafts(1, storage, TAB).read('a')).toBe('几点了')
  })
  test('comes back once, also when it is edited and the page is left again', () => {
    const storage = aStorage()
    openDrafts(1, storage, TAB).hold('a', 'ask', '几点了')
    const later = openDrafts(1, storage, TAB)
    later.keep('a', '几点了，现在？')
    later.flush()
    expect(openDrafts(1, storage, TAB).read('a')).toBe('几点了，现在？')
  })
  test('is gone once it is accepted, and what was written since moves to the conversation’s id', () => {
    const storage = aStorage()
    const drafts = openDrafts(1, storage, TAB)
    drafts.hold('new_conversation', 'ask', '几点了')
    drafts.keep('new_conversation', '还有')
    drafts.accepted('new_conversation', 'ask', 'id')
    drafts.flush()
    const later = openDrafts(1, storage, TAB)
    expect([later.read('new_conversation'), later.read('id')]).toEqual(['', '还有'])
  })
  test('changes neither the draft nor other texts that were sent', () => {
    const storage = aStorage()
    const drafts = openDrafts(1, storage, TAB)
    drafts.keep('a', '还有')
    drafts.hold('a', 'refused', '第一个问题')
    drafts.hold('a', 'ask', '第二个问题')
    expect(drafts.read('a')).toBe('还有')
    drafts.accepted('a', 'ask', 'a')
    drafts.flush()
    const later = openDrafts(1, storage, TAB).read('a')
    expect(later).toContain('第一个问题')
    expect(later).not.toContain('第二个问题')
  })
  test('that is given up is removed', () => {
    const storage = aStorage()
    const drafts = openDrafts(1, storage, TAB)
    drafts.hold('a', 'ask', '几点了')
    drafts.release('a', 'ask')
    drafts.flush()
    expect(openDrafts(1, storage, TAB).read('a')).toBe('')
  })
  test('is put back before what was written since', () => {
    const drafts = openDrafts(1, aStorage(), TAB)
    drafts.keep('a', '还有')
    drafts.putBack('a', '几点了')
    expect(drafts.read('a')).toBe('几点了\n\n还有')
  })
})

describe('the drafts of a tab', () => {
  function draftIn(browser: ReturnType<typeof aBrowser>, id: string, text: string) {
    const drafts = browser.open(id)
    browser.notifyAll()
    drafts.keep('new_conversation', text)
    drafts.flush()
    return drafts
  }

  test('are not changed by writing, sending or deleting in another one', () => {
    const browser = aBrowser()
    const other = browser.open('b')
    draftIn(browser, 'a', '这一页')
    other.keep('new_conversation', '字')
    other.flush()
    other.keep('new_conversation', '')
    other.hold('new_conversation', 'ask', '那一页')
    other.accepted('new_conversation', 'ask', 'id')
    browser.notifyAll()
    expect(browser.open('a', false).read('new_conversation')).toBe('这一页')
  })
  test('are adopted by the next new tab when their tab is closed, once', () => {
    const browser = aBrowser()
    draftIn(browser, 'a', '这一页')
    browser.close('a')
    expect(browser.open('b').read('new_conversation')).toBe('这一页')
    expect(browser.open('a', false).read('new_conversation')).toBe('')
  })
  test('have the files of both tabs when two are closed, each once', () => {
    const browser = aBrowser()
    for (const [tab, lines] of [
      ['a', '{"file":1}\n{"file":2}'],
      ['b', '{"file":2}\n{"file":3}'],
    ] as const) {
      const drafts = browser.open(tab, false)
      drafts.keep(filesKey('new_conversation'), lines)
      drafts.flush()
      browser.close(tab)
    }
    expect(browser.open('c').read(filesKey('new_conversation')).split('\n').toSorted()).toEqual([
      '{"file":1}',
      '{"file":2}',
      '{"file":3}',
    ])
  })
  test('stay in their tab while it is open, even when another one is opened and written in at once', () => {
    const browser = aBrowser()
    const first = draftIn(browser, 'a', '这一页')
    const other = browser.open('b')
    other.keep('new_conversation', `${other.read('new_conversation')}那一页`)
    browser.notifyAll()
    expect(first.read('new_conversation')).toBe('这一页')
    expect(other.read('new_conversation')).toBe('那一页')
    expect(browser.open('a', false).read('new_conversation')).toBe('这一页')
  })
  test('stay in the tab that adopted them when the closed one is reopened and written in', () => {
    const browser = aBrowser()
    draftIn(browser, 'a', '这一页')
    browser.close('a')
    const other = browser.open('b')
    const again = browser.open('a', false)
    again.keep('new_conversation', '后来的')
    again.flush()
    browser.notifyAll()
    expect([other.read('new_conversation'), again.read('new_conversation')]).toEqual(['这一页', '后来的'])
  })
  test('are separate from those of another closed one', () => {
    const browser = aBrowser()
    draftIn(browser, 'a', '第一页')
    draftIn(browser, 'b', '第二页')
    browser.close('a')
    const third = browser.open('c')
    browser.notifyAll()
    expect(third.read('new_conversation')).toBe('第一页')
  })
  test('include those that were stored for all tabs together', () => {
    expect(aBrowser({ 'drafts.1': '{"a":"半句话"}' }).open('a').read('a')).toBe('半句话')
    expect(aBrowser({ 'drafts.11': '{"a":"别人的"}' }).open('a').read('a')).toBe('')
  })
  test('are not adopted by a tab that cannot store them', () => {
    const full = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    const kept = aStorage({ 'drafts.a.1': '{"a":"半句话"}' })
    openDrafts(1, { ...kept, setItem: full }, { id: 'b', isNew: true })
    expect(kept.getItem('drafts.a.1')).not.toBe(null)
  })
  test('do not come back when their user has signed out in another tab', () => {
    const browser = aBrowser()
    draftIn(browser, 'a', '这一页')
    browser.forget()
    browser.notifyAll()
    expect(browser.names()).toEqual([])
  })
})
