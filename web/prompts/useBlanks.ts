import { useEffect } from 'react'
import { usePrompt } from '#contract/prompts.ts'
import { call } from '#web/foundation/call.ts'
import { blankRanges } from './blankRanges.ts'
import { nextBlank, withoutBlanks } from './blanks.ts'
import { select } from './field.ts'
import { type InsertedPrompts, type PromptDraft, useInsertedPrompts } from './promptState.ts'

/** The blanks that are left in a draft, and the keys that go to them. */
export function useBlanks({ conversation, text }: PromptDraft) {
  const { required = [], optional = [] } = useInsertedPrompts(all => all[conversation]) ?? {}
  const isEmpty = text.trim() === ''
  useEffect(() => {
    if (isEmpty) forget(conversation)
  }, [isEmpty, conversation])
  return {
    requiredLeft: blankRanges(text, required).length,
    optionalLeft: blankRanges(text, optional).length,
    pressed(field: HTMLTextAreaElement): void {
      const { selectionStart: at, selectionEnd, value } = field
      const blank = blankRanges(value, [...required, ...optional]).find(([start, end]) => start < at && at < end)
      if (at === selectionEnd && blank !== undefined) select(field, blank)
    },
    /** Whether the key has been taken. */
    keyed({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent, field: HTMLTextAreaElement): boolean {
      if (key !== 'Tab' || ctrlKey || metaKey || altKey) return false
      const ranges = blankRanges(field.value, [...required, ...optional])
      const next = nextBlank(ranges, [field.selectionStart, field.selectionEnd], shiftKey)
      if (next !== null) select(field, next)
      return next !== null
    },
  }
}

/** Adds what is put into a draft to what has been. */
export function keepInserted(conversation: string, added: InsertedPrompts): void {
  useInsertedPrompts.setState(all => {
    const { shared = [], required = [], optional = [] } = all[conversation] ?? {}
    return {
      [conversation]: {
        shared: [...shared, ...added.shared],
        required: [...required, ...added.required],
        optional: [...optional, ...added.optional].filter(name => !added.required.includes(name)),
      },
    }
  })
}

/** Called when a draft is sent: counts the shared prompts, and leaves out blanks that nobody has to fill in. */
export function finishDraft(conversation: string, text: string): string {
  const inserted = forget(conversation)
  if (inserted === undefined) return text
  // A count that is lost is no reason to disturb the question.
  for (const id of new Set(inserted.shared)) call(usePrompt, { params: { id: String(id) } }).catch(() => undefined)
  return withoutBlanks(text, inserted.optional)
}

function forget(conversation: string): InsertedPrompts | undefined {
  const { [conversation]: inserted, ...others } = useInsertedPrompts.getState()
  if (inserted !== undefined) useInsertedPrompts.setState(others, true)
  return inserted
}
