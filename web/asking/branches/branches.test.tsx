import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import type { ConversationHistory } from '#contract/conversations.ts'
import { withMessage } from '#contract/messageTree.ts'
import type { Message } from '#contract/messages.ts'
import { until } from '#testing/until.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useSession } from '#web/foundation/session.ts'
import { aHistory, aMessage } from '../builders.testing.ts'
import { aRecord, openTestPortal, PERSON, type TestPortal, withId } from '../portal.testing.tsx'

const ID = '0f1e2d3c-4b5a-4978-8899-aabbccddeeff'
const text = (words: string) => ({ content_type: 'text', text: words }) as const
const question = (id: string, parent: string | null, words = id): Message =>
  aMessage({ id, role: 'user', parent, content: text(words) })
const answer = (id: string, parent: string): Message =>
  aMessage({ id, role: 'assistant', parent, content: text(`回答 ${id}`) })

/** A first question with two answers; the second was asked about twice, each answered. */
function tree(current_node = 'a4'): ConversationHistory {
  const messages = [
    question('q1', null, '第一个问题'),
    answer('a1', 'q1'),
    answer('a2', 'q1'),
    question('q3', 'a2', '先这样问'),
    answer('a3', 'q3'),
    question('q4', 'a2', '再那样问'),
    answer('a4', 'q4'),
  ]
  const mapping = messages.reduce<Record<string, Message>>((sum, message) => withMessage(sum, message), {})
  return { ...withId(aHistory(), ID), mapping, current_node }
}

const stored = (history = tree()) => ({
  'GET /conv': [aRecord(ID, '时间')],
  [`GET /conv/${ID}`]: history,
  [`PATCH /conv/${ID}/branch`]: { current_node: 'x' },
})
const opened = (answers: Record<string, unknown> = stored(), hash = '') =>
  openTestPortal(answers, `/conversation?id=${ID}${hash}`)

const shown = ({ screen }: TestPortal) =>
  screen
    .getByTestId('message')
    .elements()
    .map(element => element.getAttribute('data-message-id'))
const shows = (portal: TestPortal, ids: string[]) => until(() => expect(shown(portal)).toEqual(ids))
const switchOf = (portal: TestPortal, message_id: string) => {
  const groups = [...portal.screen.container.querySelectorAll('[data-branches]')]
  const message = portal.screen.container.querySelector(`[data-message-id="${message_id}"]`)
  const group = groups.find(
    each => message !== null && (message.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  )
  return page.elementLocator(group ?? document.body)
}

/** Pressed again before anybody could answer. */
function twice(button: Locator): void {
  const element = button.element()
  for (let count = 0; count < 2; count++) element.dispatchEvent(new MouseEvent('click', { bubbles: true }))
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a conversation that parts', () => {
  test('says at each fork which of how many it shows, and nothing elsewhere', async () => {
    const portal = await opened()
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    expect(
      portal.screen
        .getByRole('group', { name: '版本' })
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(['2 / 2', '2 / 2'])
  })

  test('is read along another branch to where one was last, here at once and then everywhere', async () => {
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

  test('leads to the message that the address names, on its branch, until one goes elsewhere', async () => {
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

describe('a branch that is chosen without a network', () => {
  /** A server that can be away, and remembers what it was told. */
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

  test('stays on the screen, and is told to the server once it can be reached', async () => {
    const { portal, server } = await away()
    server.isThere = true
    window.dispatchEvent(new Event('online'))
    await until(() => expect(server.history.current_node).toBe('a3'))
    await queryClient.refetchQueries()
    await shows(portal, ['q1', 'a2', 'q3', 'a3'])
  })

  test('is still chosen after the page was loaded anew', async () => {
    const { portal, server } = await away()
    server.isThere = true
    await portal.router.navigate({ to: '/conversation', search: {} })
    queryClient.removeQueries({ queryKey: ['conversation'] })
    // What a page has in memory goes with the session as well; only what the browser has kept is left.
    useSession.setState({ user: null })
    useSession.setState({ user: PERSON })
    await portal.router.navigate({ to: '/conversation', search: { id: ID } })
    await shows(portal, ['q1', 'a2', 'q3', 'a3'])
    await until(() => expect(server.history.current_node).toBe('a3'))
  })

  test('gives way to what was asked or chosen on another device meanwhile', async () => {
    const { portal, server } = await away()
    server.isThere = true
    server.history = tree('a1')
    window.dispatchEvent(new Event('online'))
    await shows(portal, ['q1', 'a1'])
    expect(portal.calls.filter(call => call.startsWith('PATCH'))).toHaveLength(1)
  })
})

describe('a question that is edited', () => {
  test('becomes a field in its place, and is asked beside the old one', async () => {
    const portal = await opened()
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    await portal.screen.getByTestId('message-edit').last().click()
    const field = portal.screen.getByTestId('message-editor')
    await expect.element(field).toHaveFocus()
    await expect.element(field).toHaveValue('再那样问')
    await expect.element(portal.screen.getByText('原来的问答仍保留')).toBeVisible()
    await field.fill('换个问法')
    await userEvent.keyboard('{Enter}')
    const socket = await portal.socket()
    await until(() =>
      expect(socket.said[0]).toMatchObject({
        text_content: '换个问法',
        conversation_id: ID,
        parent: 'a2',
        variant_of: 'q4',
        new_conversation: false,
      }),
    )
    socket.tell({ type: 'accepted', ask_id: 'x', conversation_id: ID, question: question('q5', 'a2', '换个问法') })
    await shows(portal, ['q1', 'a2', 'q5'])
    await expect.element(switchOf(portal, 'q5')).toMatchTextContent('3 / 3')
    expect(switchOf(portal, 'q5').getByTestId('branch-previous').element().getAttribute('aria-disabled')).toBe('true')
  })

  test('is the last one when Arrow up is pressed in an empty composer', async () => {
    const portal = await opened()
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    await portal.screen.getByTestId('composer').click()
    await userEvent.keyboard('{ArrowUp}')
    await expect.element(portal.screen.getByTestId('message-editor')).toHaveValue('再那样问')
  })

  test('may be the first one', async () => {
    const portal = await opened(stored(tree('a1')))
    await portal.screen.getByTestId('message-edit').click()
    await portal.screen.getByTestId('message-editor').fill('另一个开头')
    await portal.screen.getByTestId('message-edit-send').click()
    const socket = await portal.socket()
    await until(() =>
      expect(socket.said[0]).toMatchObject({ text_content: '另一个开头', parent: null, variant_of: 'q1' }),
    )
    socket.tell({ type: 'accepted', ask_id: 'x', conversation_id: ID, question: question('q5', null, '另一个开头') })
    await shows(portal, ['q5'])
  })

  test('stays as it was when one thinks better of it, and what was typed is there the next time', async () => {
    const portal = await opened()
    await portal.screen.getByTestId('message-edit').last().click()
    await portal.screen.getByTestId('message-editor').fill('写了一半')
    await userEvent.keyboard('{Escape}')
    await expect.element(portal.screen.getByTestId('message-editor')).not.toBeInTheDocument()
    expect(portal.said()).toEqual([])
    await portal.screen.getByTestId('message-edit').last().click()
    await expect.element(portal.screen.getByTestId('message-editor')).toHaveValue('写了一半')
  })
})

describe('an answer', () => {
  test('is given once more, and stands beside the first one', async () => {
    const portal = await opened()
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    await portal.screen.getByTestId('message-regenerate').last().click()
    const socket = await portal.socket()
    await until(() =>
      expect(socket.said[0]).toMatchObject({
        text_content: ':continue',
        parent: 'q4',
        conversation_id: ID,
        model: 'gpt_4',
      }),
    )
    // The button is gone with the answer; here Escape stops.
    await expect.element(portal.screen.getByTestId('composer')).toHaveFocus()
    socket.tell(
      { type: 'accepted', ask_id: 'x', conversation_id: ID, question: null },
      { n: 4, type: 'message', message: answer('a5', 'q4') },
      { type: 'finished', outcome: 'finished', charged: true },
    )
    socket.end()
    await shows(portal, ['q1', 'a2', 'q4', 'a5'])
    await expect.element(switchOf(portal, 'a5')).toMatchTextContent('2 / 2')
  })

  test('is given by another model when one is chosen', async () => {
    const portal = await opened()
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    await portal.screen.getByRole('button', { name: '选一个模型重新回答' }).last().click()
    await page.getByRole('menuitemradio', { name: '本地的羊驼' }).click()
    const socket = await portal.socket()
    await until(() => expect(socket.said[0]).toMatchObject({ text_content: ':continue', parent: 'q4', model: 'llama' }))
  })

  test('that is given once more leaves the way that was gone behind the first one', async () => {
    const portal = await opened(stored(tree('a3')))
    await shows(portal, ['q1', 'a2', 'q3', 'a3'])
    await portal.screen.getByTestId('message-regenerate').first().click()
    const socket = await portal.socket()
    socket.tell(
      { type: 'accepted', ask_id: 'x', conversation_id: ID, question: null },
      { n: 4, type: 'message', message: answer('a5', 'q1') },
      { type: 'finished', outcome: 'finished', charged: true },
    )
    socket.end()
    await shows(portal, ['q1', 'a5'])
    await expect.element(switchOf(portal, 'a5')).toMatchTextContent('3 / 3')
    await switchOf(portal, 'a5').getByTestId('branch-previous').click()
    await shows(portal, ['q1', 'a2', 'q3', 'a3'])
  })

  test('that failed to come once more leaves the one there is', async () => {
    const portal = await opened()
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    await portal.screen.getByTestId('message-regenerate').last().click()
    const socket = await portal.socket()
    socket.tell(
      { type: 'accepted', ask_id: 'x', conversation_id: ID, question: null },
      { type: 'error', tip: 'errors.openai.500', values: { status: 500 }, charged: false },
    )
    socket.end(1001, 'errors.openai.500')
    await portal.screen.getByRole('button', { name: '保留现有的回答' }).click()
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    await expect.element(portal.screen.getByTestId('composer')).toHaveValue('')
  })

  test('is where a new conversation goes on', async () => {
    const copy = '11111111-2222-4333-8444-555555555555'
    const portal = await opened({
      ...stored(),
      [`POST /conv/${ID}/fork`]: aRecord(copy, '时间'),
      [`GET /conv/${copy}`]: withId(aHistory(question('f1', null), answer('f2', 'f1')), copy),
    })
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    await portal.screen.getByTestId('message-fork').first().click()
    await shows(portal, ['f1', 'f2'])
    expect(portal.calls).toContain(`POST /conv/${ID}/fork?message_id=a2`)
    expect(portal.router.state.location.search).toEqual({ id: copy })
  })

  test('is where one new conversation goes on, also when the button is pressed twice', async () => {
    const copy = '11111111-2222-4333-8444-555555555555'
    const portal = await opened({
      ...stored(),
      [`POST /conv/${ID}/fork`]: aRecord(copy, '时间'),
      [`GET /conv/${copy}`]: withId(aHistory(question('f1', null), answer('f2', 'f1')), copy),
    })
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    twice(portal.screen.getByTestId('message-fork').first())
    await shows(portal, ['f1', 'f2'])
    expect(portal.calls.filter(call => call.startsWith('POST'))).toHaveLength(1)
  })
})

describe('a question that is withdrawn', () => {
  const withdrawal = { [`DELETE /conv/${ID}/question/q4`]: { current_node: 'a3' } }

  test('gives its text back, and its place to the branch beside it', async () => {
    const portal = await opened({ ...stored(), ...withdrawal })
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    await portal.screen.getByTestId('composer').fill('已经写的')
    await portal.screen.getByTestId('message-withdraw').last().click()
    await page.getByRole('dialog').getByRole('button', { name: '撤回问题' }).click()
    await shows(portal, ['q1', 'a2', 'q3', 'a3'])
    await expect.element(portal.screen.getByTestId('composer')).toHaveValue('再那样问\n\n已经写的')
  })

  test('stays when one thinks better of it', async () => {
    const portal = await opened({ ...stored(), ...withdrawal })
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    await portal.screen.getByTestId('message-withdraw').last().click()
    await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    expect(portal.calls.filter(call => call.startsWith('DELETE'))).toEqual([])
  })

  test('is not asked about when nothing goes along', async () => {
    const alone = tree()
    const mapping = { ...withMessage(alone.mapping, question('q5', 'a4', '还没人答')) }
    const portal = await opened({
      ...stored({ ...alone, mapping, current_node: 'q5' }),
      [`DELETE /conv/${ID}/question/q5`]: { current_node: 'a4' },
    })
    await portal.screen.getByTestId('message-withdraw').last().click()
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    await expect.element(portal.screen.getByTestId('composer')).toHaveValue('还没人答')
  })

  test('is withdrawn once, also when the button is pressed twice', async () => {
    const alone = tree()
    const mapping = { ...withMessage(alone.mapping, question('q5', 'a4', '还没人答')) }
    const portal = await opened({
      ...stored({ ...alone, mapping, current_node: 'q5' }),
      [`DELETE /conv/${ID}/question/q5`]: { current_node: 'a4' },
    })
    await shows(portal, ['q1', 'a2', 'q4', 'a4', 'q5'])
    twice(portal.screen.getByTestId('message-withdraw').last())
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    expect(portal.calls.filter(call => call.startsWith('DELETE'))).toHaveLength(1)
    await expect.element(portal.screen.getByTestId('composer')).toHaveValue('还没人答')
  })
})

describe('while an answer is awaited', () => {
  test('no other way can be taken, and each says why', async () => {
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
