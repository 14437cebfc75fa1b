import { beginningOf } from '#contract/cutText.ts'
import { MAX_TITLE_LENGTH, Title } from '#contract/conversations.ts'

/**
 * A title from outside, cut to the allowed length, with the number of the part behind it; null when it cannot be used.
 */
export function titleOf(title: string | null, part?: number): string | null {
  const ending = part === undefined ? '' : ` (${part})`
  const line = beginningOf((title ?? '').replace(/\p{Cc}+/gu, ' ').trim(), MAX_TITLE_LENGTH - ending.length)
  return Title.safeParse(line).success ? line + ending : null
}
