import { expect } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { Message } from '#contract/messages.ts'
import { until } from '#testing/until.ts'
import { words } from '#testing/messages.ts'
import { aMessage } from './builders.testing.ts'
import { ID, type TestPortal, type TestSocket } from './portal.testing.tsx'

export const question = aMessage({ id: 'q1', role: 'user', content: words('几点了') })

export const reply = aMessage({ id: 'a1', role: 'assistant', parent: 'q1' })

/** The whole answer, as a message event. */
export const answered = (answer: string) => ({
  n: 2 + answer.length,
  type: 'message',
  message: { ...reply, content: words(answer) },
})

/** The end of an ask, with the answer as it is stored. */
export const finished = (...messages: Message[]) => ({ type: 'finished', outcome: 'finished', charged: true, messages })

export const composerOf = ({ screen }: TestPortal) => screen.getByTestId('composer')

export async function asked(portal: TestPortal, words = '几点了'): Promise<TestSocket> {
  await expect.element(portal.screen.getByRole('button', { name: '模型：GPT-3.5' })).toBeVisible()
  await composerOf(portal).fill(words)
  await userEvent.keyboard('{Enter}')
  return portal.socket()
}

export async function accepted(portal: TestPortal, words?: string): Promise<TestSocket> {
  const socket = await asked(portal, words)
  await until(() => expect(socket.sent).toHaveLength(1))
  socket.emit({ type: 'accepted', ask_id: socket.sent[0]?.['ask_id'], conversation_id: ID, question })
  return socket
}
