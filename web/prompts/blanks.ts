import { type Prompt, promptBlanks } from '#contract/prompts.ts'
import { blankRanges, type Range } from './blankRanges.ts'

/** The blanks of what was put into a text, by their names. */
export type Blanks = { required: readonly string[]; optional: readonly string[] }

/** The text as it is put in, where what an administrator filled in is text, and the blanks that are left. */
export function putIn({ text, blanks }: Pick<Prompt, 'text' | 'blanks'>): { text: string } & Blanks {
  const names = promptBlanks(text)
  const isFilled = (name: string) => (blanks[name]?.value ?? '') !== ''
  const open = names.filter(name => !isFilled(name))
  return {
    text: replaced(text, names.filter(isFilled), name => blanks[name]?.value ?? ''),
    required: open.filter(name => blanks[name]?.is_required !== false),
    optional: open.filter(name => blanks[name]?.is_required === false),
  }
}

/** Leaves out the blanks that need not be filled in and are not. */
export const withoutBlanks = (text: string, names: readonly string[]): string => replaced(text, names, () => '')

function replaced(text: string, names: readonly string[], valueOf: (name: string) => string): string {
  let made = ''
  let done = 0
  for (const [start, end] of blankRanges(text, names)) {
    made += text.slice(done, start) + valueOf(text.slice(start + 1, end - 1))
    done = end
  }
  return made + text.slice(done)
}

/**
 * The blank that Tab (or with Shift, the one before) goes to from a selection. Null where Tab leaves the field: at the
 * last one, so that nobody is held in it.
 */
export function nextBlank(ranges: readonly Range[], [start, end]: Range, isBackward: boolean): Range | null {
  const isOnBlank = ranges.some(range => range[0] === start && range[1] === end)
  const next = isBackward ? ranges.findLast(range => range[1] <= start) : ranges.find(range => range[0] >= end)
  if (next !== undefined) return next
  return isOnBlank ? null : ((isBackward ? ranges.at(-1) : ranges[0]) ?? null)
}
