import { QueryClientProvider } from '@tanstack/react-query'
import { render } from 'vitest-browser-react'
import type { Content, Message, MessageMetadata } from '#contract/messages.ts'
import { aMessage, words } from '#testing/messages.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { Thread } from './Thread.tsx'

export const said = (
  id: string,
  role: Message['role'],
  content: Content | null,
  metadata: MessageMetadata | null = null,
) => aMessage({ id, role, content, metadata })

export const question = (id: string) => said(id, 'user', words(`问题 ${id}`))
export const answer = (id: string, text = `回答 ${id}\n\n${'很长的一段。'.repeat(60)}`) =>
  said(id, 'assistant', words(text))

/** A thread of 60 questions with long answers. */
export const messages = Array.from({ length: 60 }, (_, at) => [question(`q${at}`), answer(`a${at}`)]).flat()
/** A thread of `count` short questions and answers. */
export const shortThread = (count: number, q = 'q', a = 'a') =>
  Array.from({ length: count }, (_, at) => [question(`${q}${at}`), answer(`${a}${at}`, `短 ${at}`)]).flat()

export type Live = Parameters<typeof Thread>[0]['live']

export const asked = (id: string) =>
  ({ feedOf: () => undefined, growing: false, actions: null, latestAsk: id }) satisfies Live

export async function aThread(
  messages: Message[],
  { live, target = null }: { live?: Live; target?: string | null } = {},
) {
  const page = (shown: Message[], now: Live = live) => (
    <QueryClientProvider client={queryClient}>
      <Kit>
        <div style={{ height: 500, display: 'flex' }}>
          <Thread conversationKey="c" messages={shown} target={target} live={now} />
        </div>
      </Kit>
    </QueryClientProvider>
  )
  const screen = await render(page(messages))
  const box = screen.getByTestId('thread').element() as HTMLElement
  const fromEnd = () => box.scrollHeight - box.clientHeight - box.scrollTop
  return { screen, box, fromEnd, show: (shown: Message[], now?: Live) => screen.rerender(page(shown, now)) }
}
