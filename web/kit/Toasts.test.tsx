import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { until } from '#testing/until.ts'
import { showToast, toast, TOAST_DURATION, UNDO_DURATION, useToasts } from '#web/foundation/toasts.ts'
import { keepToastsAbove, Toasts, toastsBelow } from './Toasts.tsx'
import { Kit } from './Kit.tsx'
import { SideDrawer } from './SideDrawer.tsx'

const titles = () => useToasts.getState().toasts.map(({ title }) => title)

/** The toasts that are shown, each with its timer set. */
const shown = (count: number) => until(() => expect(vi.getTimerCount()).toBe(count))

beforeEach(async () => {
  useToasts.setState({ toasts: [] })
  await page.viewport(1280, 800)
  await render(
    <Kit>
      <Toasts />
    </Kit>,
  )
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a toast', () => {
  // None goes because the machine is busy.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

  test('is announced: a success as a status, a refusal as an alert', async () => {
    toast.success('已保存')
    showToast({ tone: 'refusal', code: 10403, title: '没有权限', text: '只有管理员能做' })
    await expect.element(page.getByRole('status').getByText('已保存')).toBeVisible()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/^10403 没有权限只有管理员能做/)
  })
  test('stays 3 s, of transport 5 s', async () => {
    toast.success('已保存')
    toast.refusal('没有成功')
    toast.transport('请求出错')
    await shown(3)
    vi.advanceTimersByTime(TOAST_DURATION.refusal)
    expect(titles()).toEqual(['请求出错'])
    vi.advanceTimersByTime(TOAST_DURATION.transport - TOAST_DURATION.refusal)
    expect(titles()).toEqual([])
  })
  test('stays 8 s for a visitor who was led to another page', async () => {
    toast.turnedAway('未登录', '登录后回到这里')
    await shown(1)
    vi.advanceTimersByTime(TOAST_DURATION.turnedAway - 1000)
    expect(titles()).toEqual(['未登录'])
    vi.advanceTimersByTime(1000)
    expect(titles()).toEqual([])
  })
  test('with an undo stays 10 s, and undoes once', async () => {
    const undo = vi.fn()
    toast.undoable('已删除', undo)
    await shown(1)
    vi.advanceTimersByTime(UNDO_DURATION - 1000)
    expect(titles()).toEqual(['已删除'])
    vi.advanceTimersByTime(1000)
    expect([undo.mock.calls.length, titles()]).toEqual([0, []])
    toast.undoable('已删除', undo)
    await page.getByRole('button', { name: '撤销' }).click()
    expect([undo.mock.calls.length, titles()]).toEqual([1, []])
  })
  test('with an undo takes Ctrl+Z as well, and leaves the key alone afterwards', async () => {
    const undo = vi.fn()
    toast.undoable('已删除', undo)
    await expect.element(page.getByRole('button', { name: '撤销' })).toHaveAttribute('aria-keyshortcuts', 'Control+Z')
    await userEvent.keyboard('{Control>}z{/Control}')
    expect([undo.mock.calls.length, titles()]).toEqual([1, []])
    await expect.element(page.getByRole('button', { name: '撤销' })).not.toBeInTheDocument()
    await userEvent.keyboard('{Control>}z{/Control}')
    expect(undo).toHaveBeenCalledOnce()
  })
  test('waits as long as the pointer is on it', async () => {
    toast.success('已保存')
    // The pointer may be there already: then no timer is ever set.
    await page.getByText('已保存').hover()
    await shown(0)
    vi.advanceTimersByTime(60_000)
    expect(titles()).toEqual(['已保存'])
  })
  test('is above what keeps it there, without styles being recalculated for the page around', async () => {
    const { rerender } = await render(
      <div ref={keepToastsAbove} style={{ position: 'fixed', bottom: 20, height: 180 }}>
        edge
      </div>,
    )
    toast.success('已保存')
    await expect.poll(() => page.getByRole('status').element().getBoundingClientRect().bottom).toBe(800 - 200 - 8)
    expect(document.documentElement.getAttribute('style')).toBe(null)
    await rerender(<p>nothing</p>)
    await expect.poll(() => page.getByRole('status').element().getBoundingClientRect().bottom).toBe(800 - 16)
  })
  test('is removed when it is closed', async () => {
    toast.success('已保存')
    await page.getByRole('button', { name: '关闭' }).click()
    expect(titles()).toEqual([])
  })
  test('can be reached by keyboard', async () => {
    toast.success('已保存')
    await expect.element(page.getByText('已保存')).toBeVisible()
    await userEvent.keyboard('{Tab}{Enter}')
    expect(titles()).toEqual([])
  })
})

describe('on a phone', () => {
  const topOf = (element: Element) => element.getBoundingClientRect().top
  const closing = page.getByRole('button', { name: '关上' })
  const news = page.getByRole('status')

  async function withDrawer(opened: boolean) {
    await page.viewport(390, 844)
    const { rerender } = await render(
      <Kit>
        <SideDrawer title="对话列表" closeLabel="关上" opened={opened} onClose={vi.fn()}>
          列表
        </SideDrawer>
      </Kit>,
    )
    return () =>
      rerender(
        <Kit>
          <SideDrawer title="对话列表" closeLabel="关上" opened={false} onClose={vi.fn()}>
            列表
          </SideDrawer>
        </Kit>,
      )
  }

  test('a toast comes from above', async () => {
    await withDrawer(false)
    toast.undoable('已删除', vi.fn())
    await expect.element(news).toBeVisible()
    expect(topOf(news.element())).toBeLessThan(60)
  })
  test('a toast does not cover the head of an open drawer', async () => {
    const close = await withDrawer(true)
    await expect.element(closing).toBeVisible()
    toast.undoable('已删除', vi.fn())
    await expect.element(news).toBeVisible()
    expect(topOf(news.element())).toBeGreaterThan(closing.element().getBoundingClientRect().bottom + 200)
    await close()
    await expect.poll(() => topOf(news.element())).toBeLessThan(60)
  })
  test('a toast from below is above what keeps it there, until the last head is unmounted', async () => {
    await page.viewport(390, 844)
    const heads = (...names: string[]) => (
      <div>
        {names.map(name => (
          <p key={name} ref={toastsBelow}>
            {name}
          </p>
        ))}
        <div ref={keepToastsAbove} style={{ position: 'fixed', bottom: 0, height: 100 }} />
      </div>
    )
    const { rerender } = await render(heads('one', 'other'))
    toast.undoable('已删除', vi.fn())
    await expect.poll(() => news.element().getBoundingClientRect().bottom).toBe(844 - 108)
    await rerender(heads('other'))
    expect(news.element().getBoundingClientRect().bottom).toBe(844 - 108)
    await rerender(heads())
    await expect.poll(() => topOf(news.element())).toBeLessThan(60)
  })
})
