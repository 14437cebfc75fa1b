import { expect } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { Message } from '#contract/messages.ts'
import { until } from '#testing/until.ts'
import { aMessage } from './builders.testing.ts'
import type { TestPortal, TestSocket } from './portal.testing.tsx'

export const ID = '0f1e2d3c-4b5a-4978-8899-aabbccddeeff'

export const text = (words: string) => ({ content_type: 'text', text: words }) as const

export const question = aMessage({ id: 'q1', role: 'user', content: text('几点了') })

export const reply = aMessage({ id: 'a1', role: 'assistant', parent: 'q1' })

/** The whole answer, as a message event. */
export const answered = (words: string) => ({
  n: 2 + words.length,
  type: 'message',
  message: { ...reply, content: text(words) },
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
