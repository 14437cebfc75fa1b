import {
  readConversationInstructions,
  readInstructions,
  saveConversationInstructions,
  saveInstructions,
} from '#contract/instructions.ts'
import { createPrompt, deletePrompt, listPrompts, updatePrompt, usePrompt } from '#contract/prompts.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { User } from '#server/users/user.ts'
import type { Instructions } from './instructions.ts'
import type { Prompts } from './prompts.ts'

type Rules = {
  instructions: Instructions
  prompts: Prompts
  conversations: {
    /** Refuses a conversation that the user may not see. */
    requireOwned(user: User, conversation_id: string): Promise<{ conversation_id: string }>
    /** Refuses one that the user may not work on, too. */
    requireUsable(user: User, conversation_id: string): Promise<{ conversation_id: string }>
  }
}

export function instructionRoutes(http: Http<User>, { instructions, prompts, conversations }: Rules): void {
  http.answer(readInstructions, async ({ user }) => ({
    ...(await instructions.readOwn(user.id)),
    portal: instructions.portal(),
    plan: (await instructions.ofPlan(user.id)) || null,
  }))
  http.answer(saveInstructions, ({ user, body }) => instructions.saveOwn(user.id, body))
  http.answer(readConversationInstructions, async ({ user, params }) => {
    const { conversation_id } = await conversations.requireOwned(user, params.id)
    return instructions.ofConversation(conversation_id)
  })
  http.answer(saveConversationInstructions, async ({ user, params, body }) => {
    const { conversation_id } = await conversations.requireUsable(user, params.id)
    return instructions.saveOfConversation(conversation_id, body)
  })

  http.answer(listPrompts, ({ user }) => prompts.list(user))
  http.answer(createPrompt, ({ user, body }) => prompts.create(user, body))
  http.answer(updatePrompt, ({ user, params, body }) => prompts.update(user, Number(params.id), body))
  http.answer(deletePrompt, async ({ user, params }) => {
    await prompts.remove(user, Number(params.id))
    return null
  })
  http.answer(usePrompt, async ({ user, params }) => {
    await prompts.noteUse(user, Number(params.id))
    return null
  })
}
