/** Prompts that are written once and asked again: one's own, and those shared with everybody. */
import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { RowId, storable, Time } from './envelope.ts'

export const MAX_PROMPT_LENGTH = 8_000
/** One's own; as many are shared. */
export const MAX_PROMPTS = 500
export const MAX_BLANKS = 30

/** What `/` finds it by: letters and digits of any script. */
const SHORT_NAME = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}_-]{0,31}$/u
const PromptName = z.string().check(storable, z.trim(), z.minLength(1), z.maxLength(80), z.regex(/^\P{Cc}*$/u))
const ShortName = z.string().check(storable, z.trim(), z.toLowerCase(), z.normalize('NFC'), z.regex(SHORT_NAME))

/** A part of the text in brackets, such as [what], that is filled in when the prompt is used. */
const BLANK = /\[([^[\]\n]{1,60})\](?!\()/g

/** What can be filled in, in the order of the text, each once. */
export function promptBlanks(text: string): string[] {
  return [...new Set([...text.matchAll(BLANK)].map(([, name = '']) => name))].slice(0, MAX_BLANKS)
}

/** What an administrator says of a blank of a shared prompt. */
export const PromptBlank = z.object({
  /** Filled in beforehand: it is part of the text then. Blank: whoever uses it fills it in. */
  value: z.string().check(storable, z.maxLength(500)),
  is_required: z.boolean(),
})

const PromptFields = z.object({
  name: PromptName,
  short_name: ShortName,
  text: z.string().check(storable, z.minLength(1), z.maxLength(MAX_PROMPT_LENGTH)),
  /** By the names of its blanks; one that is not named is empty and required. */
  blanks: z
    .record(z.string().check(z.maxLength(60)), PromptBlank)
    .check(z.refine(blanks => Object.keys(blanks).length <= MAX_BLANKS, `has more than ${MAX_BLANKS} entries`)),
  is_shared: z.boolean(),
  is_active: z.boolean(),
})

export const Prompt = z.extend(PromptFields, {
  id: z.int(),
  update_time: Time,
  /** Of shared ones, to superusers: asks of this month and by how many people. */
  uses: z.optional(z.object({ count: z.int(), people: z.int() })),
})
export type Prompt = z.infer<typeof Prompt>

export const NewPrompt = z.extend(PromptFields, {
  blanks: z._default(PromptFields.shape.blanks, {}),
  is_shared: z._default(z.boolean(), false),
  is_active: z._default(z.boolean(), true),
})
export const PromptChange = z.partial(z.omit(PromptFields, { is_shared: true }))
export type NewPrompt = z.infer<typeof NewPrompt>
export type PromptChange = z.infer<typeof PromptChange>

const byId = z.object({ id: RowId })

export const listPrompts = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/prompt',
  summary: 'One’s own prompts and the shared ones; superusers also see shared ones that are switched off.',
  result: z.array(Prompt),
} as const satisfies Call

export const createPrompt = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/prompt',
  summary: 'Keeps a prompt: for oneself, or, by a superuser, for everybody.',
  body: NewPrompt,
  result: Prompt,
} as const satisfies Call

export const updatePrompt = {
  ...nothing,
  access: 'user',
  method: 'PATCH',
  path: '/prompt/:id',
  summary: 'Changes what is sent of a prompt of one’s own; superusers change shared ones.',
  params: byId,
  body: PromptChange,
  result: Prompt,
} as const satisfies Call

export const deletePrompt = {
  ...nothing,
  access: 'user',
  method: 'DELETE',
  path: '/prompt/:id',
  summary: 'Removes a prompt of one’s own; superusers remove shared ones.',
  params: byId,
  result: z.null(),
} as const satisfies Call

export const usePrompt = {
  ...nothing,
  access: 'user',
  method: 'POST',
  path: '/prompt/:id/use',
  summary: 'Counts that a shared prompt was asked.',
  params: byId,
  result: z.null(),
} as const satisfies Call
