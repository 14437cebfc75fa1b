import { afterEach, describe, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { until } from '#testing/until.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { ID, TEST_USER } from '../portal.testing.tsx'
import { tree, stored, opened, shows, switchOf } from './branches.testing.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a conversation with branches', () => {
  test('says at each fork which of how many branches it shows', async () => {
    const portal = await opened()
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    expect(
      portal.screen
        .getByRole('group', { name: '版本' })
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(['2 / 2', '2 / 2'])
  })

  test('shows another branch down to the leaf that was shown last, first here and then on other devices', async () => {
    const portal = await opened()
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    await switchOf(portal, 'q4').getByTestId('branch-previous').click()
    await shows(portal, ['q1', 'a2', 'q3', 'a3'])
    await switchOf(portal, 'a2').getByTestId('branch-previous').click()
    await shows(portal, ['q1', 'a1'])
    await switchOf(portal, 'a1').getByTestId('branch-next').click()
    await shows(portal, ['q1', 'a2', 'q3', 'a3'])
    await until(() =>
      expect(portal.calls.filter(call => call.startsWith('PATCH')).at(-1)).toBe(
        `PATCH /conv/${ID}/branch?message_id=a3`,
      ),
    )
  })

  test('is switched by the arrow keys, with the focus staying where it is', async () => {
    const portal = await opened()
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    const previous = switchOf(portal, 'q4').getByTestId('branch-previous')
    previous.element().focus()
    await userEvent.keyboard('{ArrowLeft}')
    await shows(portal, ['q1', 'a2', 'q3', 'a3'])
    await until(() => expect(document.activeElement?.getAttribute('data-testid')).toBe('branch-previous'))
    await userEvent.keyboard('{ArrowRight}')
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
  })

  test('shows the branch of the message that the address names, until another is selected', async () => {
    const portal = await opened(stored(), '#a1')
    await shows(portal, ['q1', 'a1'])
    await switchOf(portal, 'a1').getByTestId('branch-next').click()
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    await until(() => expect(portal.router.state.location.hash).toBe(''))
  })

  test('stays as it is when the address names nothing of it', async () => {
    const portal = await opened(stored(), '#__proto__')
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
  })
})

describe('a branch that is selected offline', () => {
  /** A server that can be unreachable, and remembers the selection. */
  async function away() {
    const server = { isThere: true, history: tree() }
    const answering = (answer: (search: string) => unknown) => (search: string) => {
      if (!server.isThere) throw new TypeError('Failed to fetch')
      return answer(search)
    }
    const portal = await opened({
      ...stored(),
      [`GET /conv/${ID}`]: answering(() => server.history),
      [`PATCH /conv/${ID}/branch`]: answering(search => {
        const current_node = new URLSearchParams(search).get('message_id')
        server.history = { ...server.history, current_node }
        return { current_node }
      }),
    })
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    server.isThere = false
    await switchOf(portal, 'q4').getByTestId('branch-previous').click()
    await shows(portal, ['q1', 'a2', 'q3', 'a3'])
    await until(() => expect(portal.calls.filter(call => call.startsWith('PATCH'))).toHaveLength(1))
    return { portal, server }
  }

  test('stays on the screen, and is sent once the server can be reached', async () => {
    const { portal, server } = await away()
    server.isThere = true
    window.dispatchEvent(new Event('online'))
    await until(() => expect(server.history.current_node).toBe('a3'))
    await queryClient.refetchQueries()
    await shows(portal, ['q1', 'a2', 'q3', 'a3'])
  })

  test('is still selected after a reload', async () => {
    const { portal, server } = await away()
    server.isThere = true
    await portal.router.navigate({ to: '/conversation', search: {} })
    queryClient.removeQueries({ queryKey: ['conversation'] })
    // What a page has in memory is dropped with the session; only what the browser has stored is left.
    useSession.setState({ user: null })
    useSession.setState({ user: TEST_USER })
    await portal.router.navigate({ to: '/conversation', search: { id: ID } })
    await shows(portal, ['q1', 'a2', 'q3', 'a3'])
    await until(() => expect(server.history.current_node).toBe('a3'))
  })

  test('is replaced by what was asked or selected on another device meanwhile', async () => {
    const { portal, server } = await away()
    server.isThere = true
    server.history = tree('a1')
    window.dispatchEvent(new Event('online'))
    await shows(portal, ['q1', 'a1'])
    expect(portal.calls.filter(call => call.startsWith('PATCH'))).toHaveLength(1)
  })
})

describe('while an answer is awaited', () => {
  test('no branch can be changed, and each button says why', async () => {
    const portal = await opened()
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    await portal.screen.getByTestId('composer').fill('接着问')
    await userEvent.keyboard('{Enter}')
    await portal.socket()
    for (const testid of [
      'message-edit',
      'message-regenerate',
      'message-withdraw',
      'message-fork',
      'branch-previous',
      'branch-next',
    ]) {
      expect(
        portal.screen
          .getByTestId(testid)
          .elements()
          .map(element => element.getAttribute('aria-disabled')),
        testid,
      ).not.toContain(null)
    }
    const edit = portal.screen.getByTestId('message-edit').first()
    await expect.element(edit).toHaveAccessibleDescription(/回答结束或停止之后才行/)
  })
})
