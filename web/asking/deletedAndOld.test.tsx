import { afterEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { DeletedConversations } from '#contract/keeping.ts'
import { aPortal } from '#web/foundation/api.testing.ts'
import { useToasts } from '#web/foundation/toasts.ts'
import { until } from '#testing/until.ts'
import { aHistory, aMessage } from './builders.testing.ts'
import { stored } from './conversationList.testing.tsx'
import { aRecord, ID, openTestPortal, withId } from './portal.testing.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
  useToasts.setState({ toasts: [] })
})

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const TITLE = '热水器换热泵'
const deletedOnes = (...titles: (string | null)[]): DeletedConversations => ({
  days: 30,
  conversations: titles.map((title, at) => ({
    ...{ conversation_id: `${at}${ID.slice(1)}`, title, source: 'openai_api', model: 'gpt_4' },
    ...{ deleted: '2026-11-20T06:15:00.000Z', ends: at === 1 ? null : '2026-12-20T20:00:00.000Z' },
  })),
})

async function openDeleted() {
  await page.getByRole('button', { name: '全部对话的操作' }).click()
  await page.getByTestId('deleted').click()
  return page.getByRole('dialog', { name: '已删除的对话' })
}

describe('what was deleted', () => {
  test('is listed with the day on which it is gone, and brought back', async () => {
    let left = deletedOnes(TITLE, null)
    const { calls } = await openTestPortal({
      ...stored,
      'GET /conv/deleted': () => left,
      [`POST /conv/0${ID.slice(1)}/restore`]: () => {
        left = { ...left, conversations: left.conversations.slice(1) }
        return aRecord(ID, TITLE)
      },
    })
    const dialog = await openDeleted()
    await expect.element(dialog.getByText('删掉的对话留 30 天', { exact: false })).toBeVisible()
    const [first, second] = dialog.getByTestId('deleted-row').elements()
    expect(first?.textContent).toMatch(/热水器换热泵2026年11月20日 删除2026年12月2[01]日 清除/)
    expect(second?.textContent).toContain('新对话')
    expect(second?.textContent).toContain('暂时留着')
    await dialog.getByRole('button', { name: `找回“${TITLE}”` }).click()
    await until(() => expect(useToasts.getState().toasts.map(({ title }) => title)).toEqual([`已找回“${TITLE}”`]))
    await expect.element(dialog.getByText(TITLE)).not.toBeInTheDocument()
    expect(calls.filter(call => call === 'GET /conv').length).toBeGreaterThan(1)
    expect(document.activeElement?.getAttribute('data-testid')).toBe('deleted-list')
  })

  test('can be looked for with an empty list, and says when there is nothing', async () => {
    await openTestPortal({ 'GET /conv/deleted': deletedOnes() })
    const dialog = await openDeleted()
    await expect.element(dialog.getByText('没有能找回的对话')).toBeVisible()
  })

  test('is asked about first where it is gone at once, and is not offered back', async () => {
    let list = stored['GET /conv']
    const { calls } = await openTestPortal({
      ...stored,
      'GET /conv': () => list,
      'GET /status/portal': aPortal({
        deletes_at_once: true,
        sources: [{ source: 'openai_api', enabled: true }],
      }),
      [`DELETE /conv/${ID}`]: () => {
        list = []
        return null
      },
    })
    await page.getByRole('button', { name: `“${TITLE}”的操作` }).click()
    await page.getByRole('menuitem', { name: '删除' }).click()
    const dialog = page.getByRole('dialog', { name: `删除“${TITLE}”？` })
    expect(calls).not.toContain(`DELETE /conv/${ID}`)
    await dialog.getByRole('button', { name: '删除' }).click()
    await until(() => expect(calls).toContain(`DELETE /conv/${ID}`))
    await expect.element(page.getByRole('link', { name: TITLE })).not.toBeInTheDocument()
    expect(useToasts.getState().toasts).toEqual([])
  })
})

describe('a conversation that is gone soon for its age', () => {
  const ends = inDays(6.9)
  const record = { ...aRecord(ID, TITLE), ends }
  const history = {
    ...withId(aHistory(aMessage({ id: 'q', role: 'user' }), aMessage({ id: 'a', role: 'assistant' })), ID),
    ends,
  }

  test('says when, and how it stays, and offers it to take along', async () => {
    await openTestPortal({ 'GET /conv': [record], [`GET /conv/${ID}`]: history }, `/conversation?id=${ID}`)
    const note = page.getByTestId('ending-note')
    await expect.element(note.getByText(/^这个对话 .* 清除$/)).toBeVisible()
    await expect.element(note.getByText(/^还有 [67] 天。在里面再问一次，就会留下。$/)).toBeVisible()
    await expect.element(note.getByRole('button', { name: '下载' })).toBeVisible()
  })

  test('says whose days they are, and waits for the administrators when its person wants it to stay', async () => {
    let now: object = { ...history, ends_by: { plan: '访客', days: 90 } }
    const { calls } = await openTestPortal(
      {
        'GET /conv': [record],
        [`GET /conv/${ID}`]: () => now,
        [`POST /conv/${ID}/keep`]: () => {
          const { ends: _, ...kept } = history
          now = { ...kept, keep: 'asked' }
          return null
        },
      },
      `/conversation?id=${ID}`,
    )
    const note = page.getByTestId('ending-note')
    await expect.element(note.getByText('你的计划“访客”留 90 天。', { exact: false })).toBeVisible()
    await note.getByRole('button', { name: '请管理员留着' }).click()
    await expect.element(note.getByText('你请了管理员留着这个对话')).toBeVisible()
    await expect.element(note.getByText('答复之前不会清除。')).toBeVisible()
    expect(
      note
        .getByRole('button')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(['下载'])
    expect(calls.filter(call => call === `POST /conv/${ID}/keep`)).toHaveLength(1)
  })

  test('of which administrators say no is not asked for again', async () => {
    const answered = { ...history, ends_by: { plan: null, days: 90 }, keep: 'declined' }
    await openTestPortal({ 'GET /conv': [record], [`GET /conv/${ID}`]: answered }, `/conversation?id=${ID}`)
    const note = page.getByTestId('ending-note')
    await expect.element(note.getByText('管理员没有同意留着。', { exact: false })).toBeVisible()
    await expect.element(note.getByRole('button', { name: '请管理员留着' })).not.toBeInTheDocument()
  })

  test('is told of once when it is answered, by its title', async () => {
    const texts = () => useToasts.getState().toasts.map(({ title }) => title)
    const kept = { ...aRecord(`1${ID.slice(1)}`, '外婆的药'), keep: 'kept' }
    const portal = await openTestPortal({ 'GET /conv': [{ ...record, keep: 'declined' }, kept] })
    await until(() => expect(texts()).toEqual([`“${TITLE}”没有留下`, '管理员留下了“外婆的药”']))
    await portal.screen.unmount()
    useToasts.setState({ toasts: [] })
    await openTestPortal({ 'GET /conv': [{ ...record, keep: 'declined' }, kept, aRecord(`2${ID.slice(1)}`, '别的')] })
    await expect.element(page.getByRole('link', { name: '别的' })).toBeVisible()
    expect(texts()).toEqual([])
  })

  test('is told of once', async () => {
    const tones = () => useToasts.getState().toasts.map(({ tone }) => tone)
    const texts = () => useToasts.getState().toasts.map(({ title }) => title)
    const portal = await openTestPortal({ 'GET /conv': [record] })
    await until(() => expect(texts()).toEqual(['有 1 个对话快要清除']))
    expect(tones()).toEqual(['notice'])
    await portal.screen.unmount()
    useToasts.setState({ toasts: [] })
    await openTestPortal({ 'GET /conv': [record, aRecord(`1${ID.slice(1)}`, '别的')] })
    await expect.element(page.getByRole('link', { name: '别的' })).toBeVisible()
    expect(texts()).toEqual([])
  })
})
