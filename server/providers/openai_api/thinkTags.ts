import type { TextAndThoughts } from './content.ts'
import type { GrowingAnswer } from './growingAnswer.ts'

const OPENING = /^<(?:think|thinking|thought)(?:\s[^<>]{0,200})?>/i
const CLOSING = /<\/(?:think|thinking|thought)\s*>/i
/** An opening tag with attributes that has not ended. */
const OPENING_WITH_ATTRIBUTES = /^<(?:think|thinking|thought)\s[^<>]{0,200}$/i
const NAMES = ['think', 'thinking', 'thought']

/** Whether the text may become an opening tag when more has come. */
const mayBecomeOpening = (text: string): boolean => isBeginningOf(text, '<') || OPENING_WITH_ATTRIBUTES.test(text)

/** Whether a text is the beginning of one of the names behind these signs. */
const isBeginningOf = (text: string, signs: string): boolean =>
  NAMES.some(name => text.length <= signs.length + name.length && `${signs}${name}`.startsWith(text.toLowerCase()))

/** Characters of a closing tag, with white space before its end. */
const MAX_CLOSING = 18

/** How many of the last characters may become a closing tag when more has come. */
function lengthOfHalfClosing(text: string): number {
  const at = text.lastIndexOf('<')
  if (at < 0) return 0
  const end = text.slice(at)
  return isBeginningOf(end.startsWith('</') ? end.trimEnd() : end, '</') ? end.length : 0
}

/** Characters of white space that are held before an answer; of more only the end is kept. */
const MAX_HELD = 1_000

/**
 * Tells thoughts that stand in the text itself, between tags at its beginning, from the answer. Thoughts that are not
 * closed last until the end. What may still become a tag waits for more.
 */
export function thinkTags() {
  let at: 'beginning' | 'thoughts' | 'answer' = 'beginning'
  let held = ''
  let hadThoughts = false

  /** Whether a tag was found, so that there may be another behind it. */
  function passBeginning(): boolean {
    const trimmed = held.trimStart()
    if (trimmed === '' || mayBecomeOpening(trimmed)) {
      if (held.length > MAX_HELD) held = held.slice(-MAX_HELD)
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
      const end = tag?.index ?? held.length - lengthOfHalfClosing(held.slice(-MAX_CLOSING))
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

/** The same for a whole text. */
export function withoutThinkTags(text: string): TextAndThoughts {
  const tags = thinkTags()
  const [first, last] = [tags.take(text), tags.end()]
  return { text: first.text + last.text, thoughts: first.thoughts + last.thoughts }
}

/** A closing tag at the end of its line. */
const LINE_CLOSING = /<\/(?:think|thinking|thought)[ \t]*>[ \t]*\r?\n/i
/** What may become one when more has come. */
const HALF_CLOSING = /<(?:\/(?:[a-z]{0,8}(?:[ \t]{0,5}(?:>[ \t]{0,5}\r?)?)?)?)?$/i
const ANY_OPENING = /<(?:think|thinking|thought)[\s>]/i

/**
 * Passes text on to an answer. Some models are asked in a way that opens their thoughts for them, and an endpoint that
 * does not part thoughts from the answer then sends a closing tag alone: what stood before it are thoughts. A text that
 * speaks of such tags, in code or by having both of them, stays as it is.
 */
export function unopenedThoughts(answer: Pick<GrowingAnswer, 'say' | 'text' | 'thoughts' | 'becomeThoughts'>) {
  let held = ''
  let isOver = false
  /** Only white space has come behind the tag. */
  let isBehindTag = false

  function take(text: string): void {
    if (isOver) return passAll(text)
    if (answer.thoughts() !== '') return passAll(held + text)
    const given = held + text
    const tag = LINE_CLOSING.exec(given)
    if (tag === null) {
      const end = HALF_CLOSING.exec(given)?.index ?? given.length
      held = given.slice(end)
      if (end > 0) answer.say(given.slice(0, end))
      return
    }
    const before = answer.text() + given.slice(0, tag.index)
    if (speaksOfTags(before)) return passAll(given)
    if (tag.index > 0) answer.say(given.slice(0, tag.index))
    answer.becomeThoughts()
    isBehindTag = true
    passAll(given.slice(tag.index + tag[0].length))
  }

  function passAll(given: string): void {
    isOver = true
    held = ''
    const text = isBehindTag ? given.trimStart() : given
    if (text === '') return
    isBehindTag = false
    answer.say(text)
  }

  return {
    take,
    /** Nothing more comes. */
    end: (): void => passAll(held),
  }
}

/** Whether a closing tag behind this is a part of the text: within code, or with an opening tag before it. */
function speaksOfTags(before: string): boolean {
  const fences = before.match(/^[ \t]*(?:```|~~~)/gm)?.length ?? 0
  return ANY_OPENING.test(before) || before.endsWith('`') || fences % 2 === 1
}
