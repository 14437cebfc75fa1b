/** What a model is told before the first question of a conversation. */
import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { storable, Uuid } from './envelope.ts'

/** Characters of each of the two texts about oneself. */
export const MAX_OWN_INSTRUCTIONS = 1_000
/** Characters of those of a conversation, and of the portal's. */
export const MAX_INSTRUCTIONS = 4_000

const text = (max: number) => z.string().check(storable, z.trim(), z.maxLength(max))

export const OwnInstructions = z.object({
  about_me: text(MAX_OWN_INSTRUCTIONS),
  how_to_answer: text(MAX_OWN_INSTRUCTIONS),
  /** Whether they go with questions; each conversation may say otherwise. */
  is_on: z.boolean(),
  /** Whether they go with what other tools ask by a key. */
  with_keys: z.boolean(),
})
export type OwnInstructions = z.infer<typeof OwnInstructions>

export const ConversationInstructions = z.object({
  /** Blank: there are none. */
  text: text(MAX_INSTRUCTIONS),
  /** Whether one's own go with its questions; null: as the profile says. */
  with_own: z.nullable(z.boolean()),
})
export type ConversationInstructions = z.infer<typeof ConversationInstructions>

export const NO_CONVERSATION_INSTRUCTIONS: ConversationInstructions = { text: '', with_own: null }

/** One text of several, as the model gets them: in the order of the list, and each of them whole. */
export type InstructionLayer = { by: 'portal' | 'plan' | 'own' | 'conversation'; text: string }

type Layers = {
  portal: string | null
  /** Of the plan that the person is in; left out: none. */
  plan?: string | null
  own: OwnInstructions
  conversation: ConversationInstructions
}

/** What is really sent, in the order in which the model gets it. */
export function sentInstructions({ portal, plan, own, conversation }: Layers): InstructionLayer[] {
  const layers: InstructionLayer[] = [
    { by: 'portal', text: portal ?? '' },
    { by: 'plan', text: plan ?? '' },
    { by: 'own', text: (conversation.with_own ?? own.is_on) ? ownInstructionsText(own) : '' },
    { by: 'conversation', text: conversation.text },
  ]
  return layers.filter(({ text }) => text.trim() !== '')
}

/** One's own as the model gets them. In English whatever the person writes in: every model understands it. */
export function ownInstructionsText({ about_me, how_to_answer }: OwnInstructions): string {
  const parts = [
    about_me === '' ? null : `About the user:\n${about_me}`,
    how_to_answer === '' ? null : `How the user wants to be answered:\n${how_to_answer}`,
  ]
  return parts.filter(part => part !== null).join('\n\n')
}

export const readInstructions = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/user/me/instructions',
  summary: 'One’s own instructions for models, and those of the portal and of one’s plan, which go before them.',
  result: z.extend(OwnInstructions, { portal: z.nullable(z.string()), plan: z.nullable(z.string()) }),
} as const satisfies Call

export const saveInstructions = {
  ...nothing,
  access: 'user',
  method: 'PUT',
  path: '/user/me/instructions',
  summary: 'Changes one’s own instructions. They go with the next question.',
  body: OwnInstructions,
  result: OwnInstructions,
} as const satisfies Call

const ofConversation = z.object({ id: Uuid })

export const readConversationInstructions = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/conv/:id/instructions',
  summary: 'The instructions of a conversation of one’s own.',
  params: ofConversation,
  result: ConversationInstructions,
} as const satisfies Call

export const saveConversationInstructions = {
  ...nothing,
  access: 'user',
  method: 'PUT',
  path: '/conv/:id/instructions',
  summary: 'Changes the instructions of a conversation of one’s own. They go with its next question.',
  params: ofConversation,
  body: ConversationInstructions,
  result: ConversationInstructions,
} as const satisfies Call
