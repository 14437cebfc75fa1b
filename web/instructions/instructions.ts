import { queryOptions, useQuery } from '@tanstack/react-query'
import { roughTokens } from '#contract/context.ts'
import {
  type ConversationInstructions,
  type InstructionLayer,
  NO_CONVERSATION_INSTRUCTIONS,
  type OwnInstructions,
  ownInstructionsText,
  readConversationInstructions,
  readInstructions,
  saveConversationInstructions,
  saveInstructions,
  sentInstructions,
} from '#contract/instructions.ts'
import { call } from '#web/foundation/call.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useUnsavedInstructions } from './unsavedInstructions.ts'

/** Quiet: where they are not known the line is not shown. */
export const ownInstructionsQuery = queryOptions({
  meta: { quiet: true },
  queryKey: ['instructions', 'own'],
  queryFn: ({ signal }) => call(readInstructions, {}, { signal }),
})

const conversationQuery = (id: string) =>
  queryOptions({
    meta: { quiet: true },
    queryKey: ['instructions', 'conversation', id],
    queryFn: ({ signal }) => call(readConversationInstructions, { params: { id } }, { signal }),
  })

/** What is shown of the instructions of a conversation. */
export type ShownInstructions = {
  portal: string | null
  plan: string | null
  own: OwnInstructions
  conversation: ConversationInstructions
  /** What is really sent, in the order of the model. */
  sent: readonly InstructionLayer[]
}

/** Undefined while it is loading. `id`: null while the conversation is not stored. */
export function useInstructions(id: string | null): ShownInstructions | undefined {
  const own = useQuery(ownInstructionsQuery).data
  const stored = useQuery({ ...conversationQuery(id ?? ''), enabled: id !== null }).data
  const { instructions } = useUnsavedInstructions()
  const conversation = id === null ? (instructions ?? NO_CONVERSATION_INSTRUCTIONS) : stored
  if (own === undefined || conversation === undefined) return undefined
  const { portal, plan, ...mine } = own
  return { portal, plan, own: mine, conversation, sent: sentInstructions({ portal, plan, own: mine, conversation }) }
}

/** Shows at once what is being saved; what was there before comes back when it is refused. */
export async function keepConversationInstructions(id: string | null, given: ConversationInstructions): Promise<void> {
  if (id === null) {
    useUnsavedInstructions.setState({ instructions: given })
    return
  }
  const { queryKey } = conversationQuery(id)
  const before = queryClient.getQueryData(queryKey)
  queryClient.setQueryData(queryKey, given)
  try {
    queryClient.setQueryData(queryKey, await call(saveConversationInstructions, { params: { id }, body: given }))
  } catch (error) {
    queryClient.setQueryData(queryKey, before)
    throw error
  }
}

export async function keepOwnInstructions(given: OwnInstructions): Promise<void> {
  const saved = await call(saveInstructions, { body: given })
  queryClient.setQueryData(ownInstructionsQuery.queryKey, before => before && { ...before, ...saved })
}

/** Tokens of what is sent, 0 for nothing. */
export const tokensOfLayers = (layers: readonly InstructionLayer[]): number =>
  layers.reduce((sum, { text }) => sum + roughTokens(text), 0)

export const tokensOfOwn = (own: OwnInstructions): number => {
  const text = ownInstructionsText(own)
  return text === '' ? 0 : roughTokens(text)
}
