import type { GrowingAnswer } from './growingAnswer.ts'

/** A closing tag at the end of its line. */
const CLOSING = /<\/(?:think|thinking|thought)[ \t]*>[ \t]*\r?\n/i
/** What may become one when more has come. */
const HALF_CLOSING = /<(?:\/(?:[a-z]{0,8}(?:[ \t]{0,5}(?:>[ \t]{0,5}\r?)?)?)?)?$/i
const OPENING = /<(?:think|thinking|thought)[\s>]/i

/**
 * Passes text on to an answer. Some models are asked in a way that opens their thoughts for them, and an endpoint that does not part thoughts
 * from the answer then sends a closing tag alone: what stood before it are thoughts. A text that speaks of such tags, in code or by having
 * both of them, stays as it is.
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
    const tag = CLOSING.exec(given)
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
  return OPENING.test(before) || before.endsWith('`') || fences % 2 === 1
}
