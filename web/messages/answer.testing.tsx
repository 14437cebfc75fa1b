import { QueryClientProvider } from '@tanstack/react-query'
import { vi } from 'vitest'
import { render } from 'vitest-browser-react'
import type { ConversationHistory } from '#contract/conversations.ts'
import type { Message } from '#contract/messages.ts'
import { messagesIn } from '#testing/webConversations/builder.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { Kit } from '#web/kit/Kit.tsx'
import type { TextFeed } from './markdown/streaming/textFeed.ts'
import { AnswerView } from './MessageView.tsx'
import { ConversationId } from './readingContext.ts'
import { turnsOf } from './turn.ts'

/** Stands in for the server: answers by path, and returns the list of what was requested. */
export function serve(answers: Record<string, unknown>): string[] {
  const calls: string[] = []
  vi.stubGlobal('fetch', (url: string) => {
    const { pathname, search } = new URL(url, location.origin)
    calls.push(`${pathname}${search}`)
    const result = answers[pathname]
    return Promise.resolve(
      Response.json(
        result === undefined
          ? { code: 404, message: 'errors.resourceNotFound', result: null }
          : { code: 200, message: '', result },
      ),
    )
  })
  return calls
}

export const repliesOf = (history: ConversationHistory, turn = 0): Message[] =>
  turnsOf(messagesIn(history))[turn]?.replies ?? []

type Growing = { feedOf?: (id: string) => TextFeed | undefined; growing?: boolean }

export async function theAnswer(replies: Message[], { feedOf, growing = false }: Growing = {}) {
  queryClient.clear()
  const answer = (shown: Message[], more: boolean) => (
    <QueryClientProvider client={queryClient}>
      <Kit>
        <ConversationId value="5f1d2c3b-8a47-4d21-9c10-000000000000">
          <AnswerView replies={shown} feedOf={feedOf} growing={more} />
        </ConversationId>
      </Kit>
    </QueryClientProvider>
  )
  const screen = await render(answer(replies, growing))
  return Object.assign(screen, { show: (shown: Message[], more: boolean) => screen.rerender(answer(shown, more)) })
}
