import { afterEach, describe, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { until } from '#testing/until.ts'
import { useToasts } from '#web/foundation/toasts.ts'
import { aHistory, aMessage } from './builders.testing.ts'
import { aRecord, ID, openTestPortal, Refused, withId } from './portal.testing.tsx'
import { OLD, stored } from './conversationList.testing.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  useToasts.setState({ toasts: [] })
})

describe('the search', () => {
  const hit = {
    conversation_id: OLD,
    message_id: 'm1',
    title: '路由器和光猫怎么接',
    role: 'assistant',
    create_time: '2026-03-02T10:00:00.000Z',
    excerpt: '先接热水器旁边的插座',
  }

  test('finds titles here and messages at the server', async () => {
    const { screen, calls } = await openTestPortal({ ...stored, 'GET /conv/search': { results: [hit], total: 1 } })
    await screen.getByTestId('search').fill('热水器')
    await expect
      .element(screen.getByTestId('conversation-list'))
      .toMatchTextContent(/标题 · 1热水器换热泵.*内容 · 1路由器和光猫怎么接先接热水器旁边的插座2026年3月2日/)
    expect(calls.filter(call => call.startsWith('GET /conv/search'))).toHaveLength(1)
  })

  test('shows titles as they are now, and nothing that has been deleted', async () => {
    let results = [hit]
    const { screen } = await openTestPortal(
      {
        ...stored,
        'GET /conv/search': () => ({ results, total: results.length }),
        [`DELETE /conv/${OLD}`]: null,
        'GET /conv': [aRecord(OLD, '新的标题'), aRecord(ID, '热水器换热泵')],
        [`GET /conv/${OLD}`]: withId(aHistory(aMessage({ id: 'm1', role: 'user' })), OLD),
      },
      `/conversation?id=${OLD}`,
    )
    await screen.getByTestId('search').fill('插座')
    await expect.element(screen.getByTestId('search-result')).toMatchTextContent(/^新的标题/)
    results = []
    await screen.getByRole('banner').getByRole('button', { name: '对话操作' }).click()
    await screen.getByRole('menuitem', { name: '删除' }).click()
    await expect.element(screen.getByText('没有找到“插座”')).toBeVisible()
  })

  test('writes the number of results as other numbers are written', async () => {
    const { screen } = await openTestPortal({ ...stored, 'GET /conv/search': { results: [hit], total: 2000 } })
    await screen.getByTestId('search').fill('插座')
    await expect.element(screen.getByRole('heading', { name: '内容 · 2,000' })).toBeVisible()
  })

  test('marks the words, says how many messages there are, and fetches more', async () => {
    const results = Array.from({ length: 3 }, (_, at) => ({ ...hit, message_id: `m${at}` }))
    const { screen, calls } = await openTestPortal({
      ...stored,
      'GET /conv/search': (search: string) => ({
        results: search.includes('skip=2') ? results.slice(2) : results.slice(0, 2),
        total: 3,
      }),
    })
    await screen.getByTestId('search').fill('热水器')
    await expect.element(screen.getByRole('status').filter({ hasText: '找到 4 条' })).toBeInTheDocument()
    expect(screen.getByTestId('search-result').first().element().querySelector('mark')?.textContent).toBe('热水器')
    await screen.getByRole('button', { name: '再看其余 1 条' }).click()
    await until(() => expect(screen.getByTestId('search-result').elements()).toHaveLength(4))
    expect(calls.some(call => call.startsWith('GET /conv/search') && call.includes('skip=2'))).toBe(true)
  })

  test('marks the words by which a message was found, and in a title what was typed', async () => {
    const found = { ...hit, excerpt: 'kubectl of minikube, userName in v0.11.3, サーバーのテスト, un café' }
    const { screen } = await openTestPortal({
      ...stored,
      'GET /conv': [aRecord(ID, 'Minikube')],
      'GET /conv/search': { results: [found], total: 1 },
    })
    const marks = () =>
      screen
        .getByTestId('search-result')
        .elements()
        .map(element => Array.from(element.querySelectorAll('mark'), mark => mark.textContent))
    await screen.getByTestId('search').fill('KUBE')
    await until(() => expect(marks()).toEqual([['kube'], ['kube']]))
    await screen.getByTestId('search').fill('name 0.11 テスト cafe')
    await until(() => expect(marks()).toEqual([['Name', '0.11', 'テスト', 'café']]))
  })

  test('is walked through by arrow keys, from the field through the results and back', async () => {
    const { screen, router } = await openTestPortal({ ...stored, 'GET /conv/search': { results: [hit], total: 1 } })
    await screen.getByTestId('search').fill('热水器')
    await expect.element(screen.getByTestId('search-result').nth(1)).toBeVisible()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    await expect.element(screen.getByTestId('search-result').nth(1)).toHaveFocus()
    await userEvent.keyboard('{ArrowUp}{ArrowUp}')
    await expect.element(screen.getByTestId('search')).toHaveFocus()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    await until(() => expect(router.state.location.href).toBe(`/conversation?id=${OLD}#m1`))
  })

  test('repeats the words when nothing is found', async () => {
    const { screen } = await openTestPortal({ ...stored, 'GET /conv/search': { results: [], total: 0 } })
    await screen.getByTestId('search').fill('低温工况')
    await expect.element(screen.getByText('没有找到“低温工况”')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(screen.getByRole('link', { name: '热水器换热泵' })).toBeVisible()
  })

  test('says why messages could not be searched, and searches once more', async () => {
    const answers: unknown[] = [new Refused('tooManyRequests', { values: { retry_after_seconds: 5 } })]
    const { screen } = await openTestPortal({
      ...stored,
      'GET /conv/search': () => answers.shift() ?? { results: [hit], total: 1 },
    })
    await screen.getByTestId('search').fill('插座')
    await expect.element(screen.getByText('-1 请求太频繁', { exact: false })).toBeVisible()
    await screen.getByRole('button', { name: '重试' }).click()
    await expect.element(screen.getByTestId('conversation-list')).toMatchTextContent(/内容 · 1/)
  })

  test('can be opened by Ctrl+K from everywhere', async () => {
    const { screen } = await openTestPortal(stored)
    await screen.getByTestId('composer').click()
    await userEvent.keyboard('{Control>}k{/Control}')
    await expect.element(screen.getByTestId('search')).toHaveFocus()
  })
})
