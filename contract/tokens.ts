/** An estimate: four Latin letters, or one Han character, are about a token. It errs on the high side. */
export function roughTokens(text: string): number {
  let tokens = 4
  for (let index = 0; index < text.length; index++) tokens += text.charCodeAt(index) > 0x2e80 ? 1 : 0.3
  return Math.ceil(tokens)
}

/** Share of the context that is kept free for the answer. */
export const ANSWER_SHARE = 0.25
