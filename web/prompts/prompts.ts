import { queryOptions } from '@tanstack/react-query'
import { createPrompt, deletePrompt, listPrompts, type NewPrompt, updatePrompt } from '#contract/prompts.ts'
import { call } from '#web/foundation/call.ts'
import { queryClient } from '#web/foundation/queryClient.ts'

export const promptsQuery = queryOptions({
  queryKey: ['prompts'],
  queryFn: ({ signal }) => call(listPrompts, {}, { signal }),
  staleTime: 60_000,
})

/** What a person writes of a prompt. */
export type PromptTexts = Pick<NewPrompt, 'name' | 'short_name' | 'text'>

/** `id`: null for one that is new. */
export async function savePrompt(id: number | null, texts: PromptTexts): Promise<void> {
  if (id === null) await call(createPrompt, { body: texts })
  else await call(updatePrompt, { params: { id: String(id) }, body: texts })
  await queryClient.invalidateQueries(promptsQuery)
}

export async function removePrompt(id: number): Promise<void> {
  await call(deletePrompt, { params: { id: String(id) } })
  await queryClient.invalidateQueries(promptsQuery)
}
