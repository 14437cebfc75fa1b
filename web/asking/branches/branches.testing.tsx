import { expect } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import type { ConversationHistory } from '#contract/conversations.ts'
import { withMessage } from '#contract/messageTree.ts'
import type { Message } from '#contract/messages.ts'
import { until } from '#testing/until.ts'
import { words } from '#testing/messages.ts'
import { aHistory, aMessage } from '../builders.testing.ts'
import { aRecord, ID, openTestPortal, type TestPortal, withId } from '../portal.testing.tsx'

export const question = (id: string, parent: string | null, asked = id): Message =>
  aMessage({ id, role: 'user', parent, content: words(asked) })

export const answer = (id: string, parent: string): Message =>
  aMessage({ id, role: 'assistant', parent, content: words(`回答 ${id}`) })

/** A first question with two answers; below the second are two questions, each answered. */
export function tree(current_node = 'a4'): ConversationHistory {
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

export const stored = (history = tree()) => ({
  'GET /conv': [aRecord(ID, '时间')],
  [`GET /conv/${ID}`]: history,
  [`PATCH /conv/${ID}/branch`]: { current_node: 'x' },
})

export const opened = (answers: Record<string, unknown> = stored(), hash = '') =>
  openTestPortal(answers, `/conversation?id=${ID}${hash}`)

const shown = ({ screen }: TestPortal) =>
  screen
    .getByTestId('message')
    .elements()
    .map(element => element.getAttribute('data-message-id'))

export const shows = (portal: TestPortal, ids: string[]) => until(() => expect(shown(portal)).toEqual(ids))

export const switchOf = (portal: TestPortal, message_id: string) => {
  const groups = [...portal.screen.container.querySelectorAll('[data-branches]')]
  const message = portal.screen.container.querySelector(`[data-message-id="${message_id}"]`)
  const group = groups.find(
    each => message !== null && (message.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  )
  return page.elementLocator(group ?? document.body)
}

/** Presses a button twice in the same task. */
export function twice(button: Locator): void {
  const element = button.element()
  for (let count = 0; count < 2; count++) element.dispatchEvent(new MouseEvent('click', { bubbles: true }))
}
