import type { TextAndThoughts } from './content.ts'

const OPENING = /^<(?:think|thinking|thought)(?:\s[^<>]{0,200})?>/i
const CLOSING = /<\/(?:think|thinking|thought)\s*>/i
/** What may become an opening when more has come. */
const HALF_OPENING =
  /^<(?:t(?:h(?:i(?:n(?:k(?:i(?:n(?:g)?)?)?)?)?|o(?:u(?:g(?:h(?:t)?)?)?)?)?)?)?$|^<(?:think|thinking|thought)\s[^<>]{0,200}$/i
const HALF_CLOSING = /<(?:\/(?:t(?:h(?:i(?:n(?:k(?:i(?:n(?:g)?)?)?)?)?|o(?:u(?:g(?:h(?:t)?)?)?)?)?)?\s{0,8})?)?$/i

/** White space before an answer that is kept; of more only the end is. */
const MOST_HELD = 1_000

/**
 * Tells thoughts that stand in the text itself, between tags at its beginning, from the answer. Thoughts that are not closed last until the
 * end. What may still become a tag waits for more.
 */
export function thinkTags() {
  let at: 'beginning' | 'thoughts' | 'answer' = 'beginning'
  let held = ''
  let hadThoughts = false

  /** Whether a tag was found, so that there may be another behind it. */
  function passBeginning(): boolean {
    const trimmed = held.trimStart()
    if (trimmed === '' || HALF_OPENING.test(trimmed)) {
      if (held.length > MOST_HELD) held = held.slice(-MOST_HELD)
      return false
    }
    const tag = OPENING.exec(trimmed)
    at = tag === null ? 'answer' : 'thoughts'
    if (tag !== null) held = trimmed.slice(tag[0].length)
    else if (hadThoughts) held = trimmed
    hadThoughts ||= tag !== null
    return tag !== null
  }

  function take(text: string): TextAndThoughts {
    if (at === 'answer') return { text, thoughts: '' }
    held += text
    let thoughts = ''
    while (at === 'thoughts' || passBeginning()) {
      const tag = CLOSING.exec(held)
      const end = tag?.index ?? held.length - (HALF_CLOSING.exec(held.slice(-32))?.[0].length ?? 0)
      thoughts += held.slice(0, end)
      held = held.slice(end + (tag?.[0].length ?? 0))
      if (tag === null) break
      at = 'beginning'
    }
    return { text: hasAnswer() ? taken() : '', thoughts }
  }

  const hasAnswer = (): boolean => at === 'answer'

  function taken(): string {
    const text = held
    held = ''
    return text
  }

  return {
    take,
    /** What was held, when nothing more comes. */
    end(): TextAndThoughts {
      if (at === 'thoughts') return { text: '', thoughts: taken() }
      return { text: held.trim() === '' ? '' : taken(), thoughts: '' }
    },
  }
}

/** The same for a text that is there as a whole. */
export function withoutThinkTags(text: string): TextAndThoughts {
  const tags = thinkTags()
  const [first, last] = [tags.take(text), tags.end()]
  return { text: first.text + last.text, thoughts: first.thoughts + last.thoughts }
}
