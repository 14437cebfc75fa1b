/** Rough: a token is about four Latin letters, and about one Han character. Counted a little high, to be safe. */
export function roughTokens(text: string): number {
  let tokens = 4
  for (let index = 0; index < text.length; index++) tokens += text.charCodeAt(index) > 0x2e80 ? 1 : 0.3
  return Math.ceil(tokens)
}

/** Room that is left for the answer, as a part of the context. */
export const ANSWER_SHARE = 0.25
