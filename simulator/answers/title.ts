/** The beginning of a request for a title. It may follow a question that was not answered; the rest of the request is ignored. */
const REQUEST = /(?:^|\n\n)Write a title of at most\b[^]*$/

const FALLBACK = { latin: 'New chat', han: '新对话' }
const MAX_WORDS = 6
const MAX_HAN = 14

export function asksForTitle(last_user_text: string): boolean {
  return REQUEST.test(last_user_text.trimStart())
}

export const withoutTitleRequest = (user_text: string): string => user_text.trimStart().replace(REQUEST, '')

/** A one-line title from the first question: no Markdown, no punctuation at the end, no polite opening. */
export function titleFor(first_question: string): string {
  const line =
    first_question
      .replace(/```[^]*?(```|$)/g, ' ')
      .replace(/[#*_`>~|$[\](){}<]/g, '')
      .split(/\n+/)
      .map(part => part.trim())
      .find(part => part !== '') ?? ''
  const plain = line
    .replace(
      /^((please|can you|could you|how do i|how to|tell me about|explain|tolong|sila|bagaimana|terangkan)\b[\s,]*)+/i,
      '',
    )
    .replace(/^(请问|请你|请|帮我)+/, '')
    .replace(/[\s.,;:!?。，；：！？、]+$/u, '')
  if (/\p{Script=Han}/u.test(plain)) return [...plain].slice(0, MAX_HAN).join('') || FALLBACK.han
  // Removes a connecting word at the end.
  const title = plain
    .split(/\s+/)
    .slice(0, MAX_WORDS)
    .join(' ')
    .replace(/(\s+(a|an|and|at|by|dan|di|for|from|in|of|on|or|the|to|untuk|with|yang))+$/i, '')
    .replace(/[.,;:!?]+$/, '')
  return title === '' ? FALLBACK.latin : title.charAt(0).toUpperCase() + title.slice(1)
}
