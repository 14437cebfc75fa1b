import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { until } from '#testing/until.ts'
import { useSession } from '#web/foundation/session.ts'
import { useToasts } from '#web/foundation/toasts.ts'
import { aRecord, ID, openTestPortal, Refused } from './portal.testing.tsx'
import { stored } from './conversationList.testing.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  useToasts.setState({ toasts: [] })
})

/**
 * Dispatches the events of a double click. Clicking twice could hit something else on a screen that is still being
 * rendered; e2e/list.spec.ts does it.
 */
async function doubleClick(link: Locator): Promise<void> {
  await expect.element(link).toBeVisible()
  link.element().dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))
}

const idOf = (at: number) => `${String(at).padStart(8, '0')}-2222-4333-8444-555555555555`

/** An hour apart, the newest first. */
function manyRecords(count: number) {
  return Array.from({ length: count }, (_, at) =>
    aRecord(idOf(at), `对话 ${at}`, new Date(Date.UTC(2026, 0, 1) - at * 3_600_000).toISOString()),
  )
}

async function deleteByKeys(button: Locator): Promise<void> {
  await expect.element(button).toBeInTheDocument()
  button.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('menuitem', { name: '重命名' })).toBeVisible()
  // The menu takes the focus once it is positioned; an entry that had it before would lose it again.
  await until(() => expect(document.activeElement?.closest('[role=menu]') ?? null).not.toBe(null))
  page.getByRole('menuitem', { name: '删除' }).element().focus()
  await userEvent.keyboard('{Enter}')
}

describe('the list of conversations', () => {
  test('has the latest used first', async () => {
    const { screen } = await openTestPortal(stored)
    await expect
      .element(screen.getByTestId('conversation-list'))
      .toMatchTextContent(/今天热水器换热泵.*2026年3月路由器和光猫怎么接/)
  })

  test('says so when there are none', async () => {
    const { screen } = await openTestPortal()
    await expect.element(screen.getByText('还没有对话，从下面的输入框开始第一个')).toBeVisible()
  })

  test('says why it could not be loaded, and can be loaded again', async () => {
    let calls = 0
    const { screen } = await openTestPortal({
      'GET /conv': () => {
        calls += 1
        return calls === 1 ? new Refused('databaseUnreachable') : stored['GET /conv']
      },
    })
    await expect.element(screen.getByText('-1 服务器暂时连不上数据库', { exact: false })).toBeVisible()
    await screen.getByRole('button', { name: '重新载入' }).click()
    await expect.element(screen.getByRole('link', { name: '热水器换热泵' })).toBeVisible()
  })

  test('opens a conversation as a link', async () => {
    const { screen, router } = await openTestPortal(stored)
    await screen.getByRole('link', { name: '热水器换热泵' }).click()
    await until(() => expect(router.state.location.href).toBe(`/conversation?id=${ID}`))
    await expect.element(screen.getByRole('link', { name: '热水器换热泵' })).toHaveAttribute('aria-current', 'page')
  })

  test('renames a conversation in place', async () => {
    const { screen, calls } = await openTestPortal({ ...stored, [`PATCH /conv/${ID}`]: aRecord(ID, '热泵') })
    await screen.getByRole('button', { name: '“热水器换热泵”的操作' }).click()
    await screen.getByRole('menuitem', { name: '重命名' }).click()
    await screen.getByRole('textbox', { name: '标题' }).fill('热泵')
    await userEvent.keyboard('{Enter}')
    await expect.element(screen.getByRole('link', { name: '热泵', exact: true })).toBeVisible()
    await expect.element(screen.getByRole('link', { name: '热泵', exact: true })).toHaveFocus()
    expect(calls).toContain(`PATCH /conv/${ID}?title=%E7%83%AD%E6%B3%B5`)
  })

  test('saves or gives up a new title by a button, as phones have no Escape', async () => {
    const { screen, calls } = await openTestPortal(stored)
    const link = screen.getByRole('link', { name: '热水器换热泵' })
    const renamings = () => calls.filter(call => call.startsWith('PATCH'))
    await doubleClick(link)
    await screen.getByTestId('title-input').fill('不要的')
    await screen.getByTestId('cancel-title').click()
    await expect.element(link).toHaveFocus()
    expect(renamings()).toEqual([])
    await doubleClick(link)
    await screen.getByTestId('title-input').fill('要的')
    await screen.getByTestId('save-title').click()
    await until(() => expect(renamings()).toHaveLength(1))
    expect(renamings()[0]).toContain(`title=${encodeURIComponent('要的')}`)
  })

  test('does not take an Enter of the input method for the end of renaming, even as Safari reports it', async () => {
    const { screen, calls } = await openTestPortal(stored)
    await doubleClick(screen.getByRole('link', { name: '热水器换热泵' }))
    const field = screen.getByRole('textbox', { name: '标题' })
    await field.fill('reb')
    for (const key of ['Enter', 'Escape']) {
      field
        .element()
        .dispatchEvent(new KeyboardEvent('keydown', { key, isComposing: true, bubbles: true, cancelable: true }))
      field
        .element()
        .dispatchEvent(new KeyboardEvent('keydown', { key, keyCode: 229, bubbles: true, cancelable: true }))
    }
    await expect.element(field).toHaveValue('reb')
    await userEvent.keyboard('{Escape}')
    await expect.element(screen.getByRole('link', { name: '热水器换热泵' })).toBeVisible()
    expect(calls.filter(call => call.startsWith('PATCH'))).toEqual([])
  })

  test.each(['double click', 'F2'])('renames by %s, and leaves the title as it was at Escape', async way => {
    const { screen, calls } = await openTestPortal(stored)
    const link = screen.getByRole('link', { name: '热水器换热泵' })
    if (way === 'F2') {
      await expect.element(link).toBeVisible()
      link.element().focus()
      await userEvent.keyboard('{F2}')
    } else {
      await doubleClick(link)
    }
    await screen.getByRole('textbox', { name: '标题' }).fill('别的')
    await userEvent.keyboard('{Escape}')
    await expect.element(link).toHaveFocus()
    expect(calls.filter(call => call.startsWith('PATCH'))).toEqual([])
  })

  test('restores the title when the server refuses the new one', async () => {
    const { screen } = await openTestPortal(stored)
    await doubleClick(screen.getByRole('link', { name: '热水器换热泵' }))
    await screen.getByRole('textbox', { name: '标题' }).fill('别的')
    await userEvent.keyboard('{Enter}')
    await expect.element(screen.getByRole('link', { name: '热水器换热泵' })).toBeVisible()
  })

  test('deletes a conversation at once and leaves it, and brings it back', async () => {
    const { screen, router, calls } = await openTestPortal(
      {
        ...stored,
        [`DELETE /conv/${ID}`]: null,
        [`POST /conv/${ID}/restore`]: aRecord(ID, '热水器换热泵'),
        'GET /conv': [aRecord(ID, '热水器换热泵')],
      },
      `/conversation?id=${ID}`,
    )
    await screen.getByRole('button', { name: '“热水器换热泵”的操作' }).click()
    await screen.getByRole('menuitem', { name: '删除' }).click()
    await until(() => expect(router.state.location.href).toBe('/conversation'))
    expect(calls).toContain(`DELETE /conv/${ID}`)
    await until(() => expect(useToasts.getState().toasts.map(({ title }) => title)).toEqual(['已删除“热水器换热泵”']))
    useToasts.getState().toasts[0]?.undo?.()
    await until(() => expect(router.state.location.href).toBe(`/conversation?id=${ID}`))
    expect(calls).toContain(`POST /conv/${ID}/restore`)
  })

  test('offers to undo several deletions with one toast, even of conversations with the same title', async () => {
    const records = [1, 2, 3, 4].map(at =>
      aRecord(`${at}${ID.slice(1)}`, '', new Date(Date.UTC(2026, 0, at)).toISOString()),
    )
    const there = new Set(records.map(record => record.conversation_id))
    const { screen, calls } = await openTestPortal({
      'GET /conv': (): unknown => records.filter(record => there.has(record.conversation_id)),
      ...Object.fromEntries(
        records.flatMap(record => [
          [
            `DELETE /conv/${record.conversation_id}`,
            (): null => {
              there.delete(record.conversation_id)
              return null
            },
          ],
          [
            `POST /conv/${record.conversation_id}/restore`,
            (): unknown => {
              there.add(record.conversation_id)
              return record
            },
          ],
        ]),
      ),
    })
    for (const left of [3, 2, 1, 0]) {
      await screen.getByRole('button', { name: '“新对话”的操作' }).first().click()
      await screen.getByRole('menuitem', { name: '删除' }).click()
      await until(() => expect(screen.getByTestId('conversation-row').elements()).toHaveLength(left))
    }
    expect(useToasts.getState().toasts.map(({ title }) => title)).toEqual(['已删除 4 个对话'])
    useToasts.getState().toasts[0]?.undo?.()
    await until(() => expect(screen.getByTestId('conversation-row').elements()).toHaveLength(4))
    expect(calls.filter(call => call.endsWith('/restore'))).toHaveLength(4)
  })

  test('moves the focus of a deleted row to the next row, else to the one before, else to the new-conversation button', async () => {
    const records = ['一', '二', '三'].map((title, at) =>
      aRecord(`${at + 1}${ID.slice(1)}`, title, `2026-03-02T10:00:0${3 - at}.000Z`),
    )
    const there = new Set(records)
    const { screen } = await openTestPortal({
      'GET /conv': (): unknown => [...there],
      ...Object.fromEntries(
        records.map(record => [
          `DELETE /conv/${record.conversation_id}`,
          (): null => {
            there.delete(record)
            return null
          },
        ]),
      ),
    })
    await deleteByKeys(screen.getByRole('button', { name: '“二”的操作' }))
    await expect.element(screen.getByRole('link', { name: '三' })).toHaveFocus()
    await deleteByKeys(screen.getByRole('button', { name: '“三”的操作' }))
    await expect.element(screen.getByRole('link', { name: '一' })).toHaveFocus()
    await deleteByKeys(screen.getByRole('button', { name: '“一”的操作' }))
    await expect.element(screen.getByTestId('new-conversation')).toHaveFocus()
  })

  test('offers no undo to the next user', async () => {
    const { screen } = await openTestPortal({ ...stored, [`DELETE /conv/${ID}`]: null })
    await screen.getByRole('button', { name: '“热水器换热泵”的操作' }).click()
    await screen.getByRole('menuitem', { name: '删除' }).click()
    await until(() => expect(useToasts.getState().toasts).toHaveLength(1))
    useSession.setState({ user: null })
    expect(useToasts.getState().toasts).toEqual([])
  })

  test('deletes all conversations after the user name was typed', async () => {
    const { screen, calls } = await openTestPortal({ ...stored, 'DELETE /conv': null })
    await expect.element(screen.getByRole('link', { name: '热水器换热泵' })).toBeVisible()
    await screen.getByRole('button', { name: '全部对话的操作' }).click()
    await screen.getByRole('menuitem', { name: '删除全部对话' }).click()
    await expect.element(screen.getByRole('dialog')).toMatchTextContent(/删除全部 2 个对话？/)
    await expect.element(screen.getByRole('button', { name: '全部删除' })).toBeDisabled()
    await screen.getByRole('textbox', { name: '输入“xiaoyu”来确认' }).fill('xiaoyu')
    await screen.getByRole('button', { name: '全部删除' }).click()
    await until(() => expect(calls).toContain('DELETE /conv?own=true'))
    await expect.element(screen.getByText('还没有对话，从下面的输入框开始第一个')).toBeVisible()
  })

  test('of 2,000 conversations renders a hundred rows, and more while scrolling down, by keys too', async () => {
    const { screen } = await openTestPortal({ 'GET /conv': manyRecords(2000) })
    const rows = screen.getByTestId('conversation-row')
    await expect.element(rows.first()).toBeVisible()
    expect(rows.elements().length).toBeLessThan(200)
    const link = screen.getByRole('link', { name: '对话 0', exact: true })
    link.element().focus()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}')
    await expect.element(screen.getByRole('link', { name: '对话 1', exact: true })).toHaveFocus()
    const before = rows.elements().length
    await userEvent.keyboard('{End}')
    await until(() => expect(rows.elements().length).toBeGreaterThan(before))
  })

  test('scrolls to the open conversation, however far down it is, and to the next ones reached by keys', async () => {
    const { screen, router } = await openTestPortal({ 'GET /conv': manyRecords(1000) }, `/conversation?id=${idOf(900)}`)
    const open = (at: number) => screen.getByRole('link', { name: `对话 ${at}`, exact: true })
    await expect.element(open(900)).toHaveAttribute('aria-current', 'page')
    await expect.element(open(900)).toBeInViewport({ ratio: 1 })
    for (let at = 901; at <= 925; at++) {
      await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
      await until(() => expect(router.state.location.search).toEqual({ id: idOf(at) }))
    }
    await expect.element(open(925)).toBeInViewport({ ratio: 1 })
  })

  test('does not scroll when a row is clicked', async () => {
    const { screen, router } = await openTestPortal({ 'GET /conv': manyRecords(50) })
    await expect.element(screen.getByTestId('conversation-row').first()).toBeVisible()
    const list = screen.getByTestId('conversation-list').element()
    const rows = screen.getByTestId('conversation-row').elements()
    const cut = rows.find(row => row.getBoundingClientRect().bottom > list.getBoundingClientRect().bottom)!
    cut.querySelector('a')!.click()
    await until(() => expect(router.state.location.search).toEqual({ id: cut.getAttribute('data-conversation-id') }))
    await until(() => expect(cut.querySelector('[aria-current]')).not.toBe(null))
    expect(list.scrollTop).toBe(0)
  })
})
