import { describe, expect, test, vi } from 'vitest'
import type { PushedNotice } from '#contract/notices.ts'
import { parsed, shownNotice } from './pushed.ts'
import { listenForPushes, type PushWorker } from './pushWorker.ts'

const ID = '0b7a8f0c-7c1e-4a50-9d3e-0a4c3c2b1a00'
const notice = (fields: Partial<PushedNotice> = {}): PushedNotice => ({
  kind: 'answer',
  language: 'zh-CN',
  conversation_id: ID,
  title: null,
  label: null,
  seconds: 200,
  has_failed: false,
  ...fields,
})
const texts = (fields: Partial<PushedNotice>) => {
  const shown = shownNotice(notice(fields))
  return [shown?.title, shown?.options.body]
}

describe('a notice that was pushed', () => {
  test('says what happened and how long it took, in the language of the person', () => {
    expect(texts({})).toEqual(['答好了', '用了 3 分 20 秒'])
    expect(texts({ language: 'en-US', seconds: 42 })).toEqual(['Your answer is ready', 'It took 42 s'])
    expect(texts({ language: 'ms-MY', kind: 'turn', seconds: null })).toEqual([
      'Giliran anda',
      'Jawapan sedang ditulis',
    ])
    expect(texts({ language: 'tlh', seconds: null })).toEqual(['答好了', ''])
  })
  test('has the title where it was sent', () => {
    expect(texts({ title: '三年电费的图' })).toEqual(['答好了', '三年电费的图。用了 3 分 20 秒'])
  })
  test('says that an answer failed, and which model may be asked', () => {
    expect(texts({ has_failed: true })).toEqual(['没有答成', '打开看看为什么'])
    expect(texts({ kind: 'window', label: 'GPT-4', conversation_id: null })).toEqual([
      '又可以问了',
      'GPT-4 现在能问，草稿还在',
    ])
  })
  test('leads to its conversation, and takes the place of an earlier one of it', () => {
    expect(shownNotice(notice())?.options).toMatchObject({ tag: ID, data: { path: `/conversation?id=${ID}` } })
    expect(shownNotice(notice({ kind: 'window', conversation_id: null }))?.options).toMatchObject({
      tag: 'window',
      data: { path: '/conversation' },
    })
  })
  test('is nothing where this version does not know it', () => {
    for (const other of [null, 'x', {}, { kind: 'tea' }, [], 7]) expect(shownNotice(other)).toBeNull()
    expect(parsed({ kind: 'answer' })).toMatchObject({ conversation_id: null, title: null, seconds: null })
  })
})

const KEYS = { p256dh: 'p', auth: 'a' }

type Listener = (event: object) => void

/** The part of the service worker that shows notices, in a browser that has these pages open. */
async function theWorker(pages: Awaited<ReturnType<PushWorker['clients']['matchAll']>>) {
  const listeners = new Map<string, Listener>()
  const showNotification = vi.fn(async () => undefined)
  const openWindow = vi.fn(async () => null)
  const fetch = vi.fn(async () => null)
  const subscribe = vi.fn(async () => ({ toJSON: () => ({ endpoint: 'https://push.example/2', keys: KEYS }) }))
  listenForPushes({
    addEventListener: (type: string, listener: (event: never) => void) =>
      void listeners.set(type, listener as Listener), // of its own event
    clients: { matchAll: async () => pages, openWindow },
    registration: { showNotification, pushManager: { subscribe } },
    fetch,
    location: { origin: 'https://chat.example.org' },
  })
  const fire = async (type: string, event: object) => {
    let work: Promise<unknown> = Promise.resolve()
    listeners.get(type)?.({
      ...event,
      waitUntil: (given: Promise<unknown>) => {
        work = given
      },
    })
    await work
  }
  return {
    ...{ showNotification, openWindow, fetch, subscribe },
    change: (event: object) => fire('pushsubscriptionchange', event),
    push: (data: { json(): unknown } | null) => fire('push', { data }),
    click: (path: string) => fire('notificationclick', { notification: { close: () => null, data: { path } } }),
  }
}

const aPage = (url: string, visibilityState: string) => {
  const navigate = vi.fn(async () => null)
  const page = { url, visibilityState, navigate, focus: async () => page }
  return page
}

const ADDRESS = `https://chat.example.org/conversation?id=${ID}`

describe('the worker', () => {
  test('shows what was pushed, unless somebody looks at it', async () => {
    const hidden = await theWorker([aPage(ADDRESS, 'hidden')])
    await hidden.push({ json: () => notice() })
    expect(hidden.showNotification).toHaveBeenCalledWith('答好了', expect.objectContaining({ tag: ID }))
    const visible = await theWorker([aPage(ADDRESS, 'visible')])
    await visible.push({ json: () => notice() })
    expect(visible.showNotification).not.toHaveBeenCalled()
    const other = await theWorker([aPage('https://chat.example.org/conversation', 'visible')])
    await other.push({ json: () => notice() })
    expect(other.showNotification).toHaveBeenCalledOnce()
    await other.push({ json: () => notice({ kind: 'window', conversation_id: null }) })
    expect(other.showNotification).toHaveBeenCalledOnce() // the open page reminds by itself
  })
  test('shows nothing of what is no notice', async () => {
    const worker = await theWorker([])
    await worker.push(null)
    await worker.push({ json: () => JSON.parse('{') })
    await worker.push({ json: () => ({ kind: 'x' }) })
    expect(worker.showNotification).not.toHaveBeenCalled()
  })
  test('adds its new address where the browser changed it, and does without one', async () => {
    const worker = await theWorker([])
    const options = { userVisibleOnly: true }
    await worker.change({ oldSubscription: { options }, newSubscription: null })
    expect(worker.subscribe).toHaveBeenCalledWith(options)
    expect(worker.fetch).toHaveBeenCalledExactlyOnceWith(
      'https://chat.example.org/api/user/me/notices/devices',
      expect.objectContaining({
        method: 'POST',
        body: JSON.stringify({ endpoint: 'https://push.example/2', keys: KEYS }),
      }),
    )
    await worker.change({ oldSubscription: null, newSubscription: null })
    expect(worker.fetch).toHaveBeenCalledOnce()
  })
  test('opens the conversation at a click, in a page that is there or a new one', async () => {
    const none = await theWorker([])
    await none.click(`/conversation?id=${ID}`)
    expect(none.openWindow).toHaveBeenCalledWith(ADDRESS)
    const page = aPage('https://chat.example.org/history', 'hidden')
    const one = await theWorker([page])
    await one.click(`/conversation?id=${ID}`)
    expect(page.navigate).toHaveBeenCalledWith(ADDRESS)
    expect(one.openWindow).not.toHaveBeenCalled()
  })
})
