import * as z from 'zod/mini'
import { MAX_PROMPTS, NewPrompt } from '#contract/prompts.ts'
import type { PromptTexts } from './prompts.ts'

/** More than all prompts that a person can have. */
const MAX_FILE_BYTES = 16 * 1024 * 1024
const FORMAT = 'chat-commons-prompts'

const PromptFile = z.object({ format: z.literal(FORMAT), prompts: z.array(z.unknown()) })

/** Why a file cannot be read: `at` is the number of its prompt that is wrong. */
export type UnreadablePrompts = { why: 'tooLarge' | 'notPrompts' | 'tooMany' } | { why: 'wrongPrompt'; at: number }

export const promptFile = (prompts: readonly PromptTexts[]): Blob => {
  const texts = prompts.map(({ name, short_name, text }) => ({ name, short_name, text }))
  const file = { format: FORMAT, version: 1, prompts: texts }
  return new Blob([`${JSON.stringify(file, null, 2)}\n`], { type: 'application/json' })
}

/** The prompts of a file that was exported, or what is wrong with it. */
export async function readPromptFile(file: Blob): Promise<readonly PromptTexts[] | UnreadablePrompts> {
  if (file.size > MAX_FILE_BYTES) return { why: 'tooLarge' }
  const read = PromptFile.safeParse(jsonIn(await file.text()))
  if (!read.success) return { why: 'notPrompts' }
  if (read.data.prompts.length > MAX_PROMPTS) return { why: 'tooMany' }
  const texts: PromptTexts[] = []
  for (const [index, given] of read.data.prompts.entries()) {
    const { success, data } = NewPrompt.safeParse(given)
    if (!success) return { why: 'wrongPrompt', at: index + 1 }
    texts.push({ name: data.name, short_name: data.short_name, text: data.text })
  }
  return texts
}

/** Those that a person does not have yet. */
export function missingPrompts(texts: readonly PromptTexts[], own: readonly PromptTexts[]): PromptTexts[] {
  const keyOf = ({ name, short_name, text }: PromptTexts) => JSON.stringify([name, short_name, text])
  const known = new Set(own.map(keyOf))
  return texts.filter(each => {
    const key = keyOf(each)
    const isMissing = !known.has(key)
    known.add(key)
    return isMissing
  })
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
