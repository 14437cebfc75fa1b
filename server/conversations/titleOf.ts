import { MAX_TITLE_LENGTH, Title } from '#contract/conversations.ts'

/** A title from outside, shortened where it is too long, with the number of the part; null where it is none that can be used. */
export function titleOf(title: string | null, part?: number): string | null {
  const ending = part === undefined ? '' : ` (${part})`
  const line = (title ?? '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE_LENGTH - ending.length)
    .replace(/[\uD800-\uDBFF]$/, '')
  return Title.safeParse(line).success ? line + ending : null
}
