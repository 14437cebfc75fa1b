import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { until } from '#testing/until.ts'
import { aHistory } from '../builders.testing.ts'
import { aRecord, ID, withId } from '../portal.testing.tsx'
import { question, answer, tree, stored, opened, shows, switchOf, twice } from './branches.testing.tsx'

const COPY = '11111111-2222-4333-8444-555555555555'

afterEach(() => {
  vi.unstubAllGlobals()
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
      expect(socket.sent[0]).toMatchObject({
        text_content: '换个问法',
        conversation_id: ID,
        parent: 'a2',
        variant_of: 'q4',
        new_conversation: false,
      }),
    )
    socket.emit({ type: 'accepted', ask_id: 'x', conversation_id: ID, question: question('q5', 'a2', '换个问法') })
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
      expect(socket.sent[0]).toMatchObject({ text_content: '另一个开头', parent: null, variant_of: 'q1' }),
    )
    socket.emit({ type: 'accepted', ask_id: 'x', conversation_id: ID, question: question('q5', null, '另一个开头') })
    await shows(portal, ['q5'])
  })

  test('stays as it was when the edit is cancelled, and the next edit begins with that text', async () => {
    const portal = await opened()
    await portal.screen.getByTestId('message-edit').last().click()
    await portal.screen.getByTestId('message-editor').fill('写了一半')
    await userEvent.keyboard('{Escape}')
    await expect.element(portal.screen.getByTestId('message-editor')).not.toBeInTheDocument()
    expect(portal.sent()).toEqual([])
    await portal.screen.getByTestId('message-edit').last().click()
    await expect.element(portal.screen.getByTestId('message-editor')).toHaveValue('写了一半')
  })
})

describe('an answer', () => {
  test('that is asked for again is a branch beside the first one', async () => {
    const portal = await opened()
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    await portal.screen.getByTestId('message-regenerate').last().click()
    const socket = await portal.socket()
    await until(() =>
      expect(socket.sent[0]).toMatchObject({
        text_content: ':continue',
        parent: 'q4',
        conversation_id: ID,
        model: 'gpt_4',
      }),
    )
    // The button is unmounted with the answer, and Escape in the composer stops the ask.
    await expect.element(portal.screen.getByTestId('composer')).toHaveFocus()
    socket.emit(
      { type: 'accepted', ask_id: 'x', conversation_id: ID, question: null },
      { type: 'finished', outcome: 'finished', charged: true, messages: [answer('a5', 'q4')] },
    )
    socket.end()
    await shows(portal, ['q1', 'a2', 'q4', 'a5'])
    await expect.element(switchOf(portal, 'a5')).toMatchTextContent('2 / 2')
  })

  test('that is asked for again comes from another model when one is chosen', async () => {
    const portal = await opened()
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    await portal.screen.getByRole('button', { name: '选一个模型重新回答' }).last().click()
    await page.getByRole('menuitemradio', { name: '本地的羊驼' }).click()
    const socket = await portal.socket()
    await until(() => expect(socket.sent[0]).toMatchObject({ text_content: ':continue', parent: 'q4', model: 'llama' }))
  })

  test('that is asked for again keeps the path below the first one', async () => {
    const portal = await opened(stored(tree('a3')))
    await shows(portal, ['q1', 'a2', 'q3', 'a3'])
    await portal.screen.getByTestId('message-regenerate').first().click()
    const socket = await portal.socket()
    socket.emit(
      { type: 'accepted', ask_id: 'x', conversation_id: ID, question: null },
      { type: 'finished', outcome: 'finished', charged: true, messages: [answer('a5', 'q1')] },
    )
    socket.end()
    await shows(portal, ['q1', 'a5'])
    await expect.element(switchOf(portal, 'a5')).toMatchTextContent('3 / 3')
    await switchOf(portal, 'a5').getByTestId('branch-previous').click()
    await shows(portal, ['q1', 'a2', 'q3', 'a3'])
  })

  test('that failed when it was asked for again leaves the first one', async () => {
    const portal = await opened()
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    await portal.screen.getByTestId('message-regenerate').last().click()
    const socket = await portal.socket()
    socket.emit(
      { type: 'accepted', ask_id: 'x', conversation_id: ID, question: null },
      { type: 'error', tip: 'errors.openai.500', values: { status: 500 }, charged: false },
    )
    socket.end(1001, 'errors.openai.500')
    await portal.screen.getByRole('button', { name: '保留现有的回答' }).click()
    await shows(portal, ['q1', 'a2', 'q4', 'a4'])
    await expect.element(portal.screen.getByTestId('composer')).toHaveValue('')
  })

  test('can be continued in a new conversation', async () => {
    const portal = await openForkable()
    await portal.screen.getByTestId('message-fork').first().click()
    await shows(portal, ['f1', 'f2'])
    expect(portal.calls).toContain(`POST /conv/${ID}/fork?message_id=a2`)
    expect(portal.router.state.location.search).toEqual({ id: COPY })
  })

  test('is continued in one new conversation even when the button is pressed twice', async () => {
    const portal = await openForkable()
    twice(portal.screen.getByTestId('message-fork').first())
    await shows(portal, ['f1', 'f2'])
    expect(portal.calls.filter(call => call.startsWith('POST'))).toHaveLength(1)
  })
})

/** A conversation that is open, and becomes COPY when it is continued in a new one. */
async function openForkable() {
  const portal = await opened({
    ...stored(),
    [`POST /conv/${ID}/fork`]: aRecord(COPY, '时间'),
    [`GET /conv/${COPY}`]: withId(aHistory(question('f1', null), answer('f2', 'f1')), COPY),
  })
  await shows(portal, ['q1', 'a2', 'q4', 'a4'])
  return portal
}
