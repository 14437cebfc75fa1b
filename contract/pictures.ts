/** Characters of pictures within the text of one answer. */
export const MOST_PICTURES = 32 * 1024 * 1024

/** Shorter ones are words about data addresses. */
const PICTURE =
  /(?:!\[[^\]\n]{0,1000}\]\(\s{0,20}<?)?data:[\w/.+-]{1,100}(?:;[\w=.-]{1,100}){0,5},[A-Za-z0-9+/=_%-]{200,}(?:>?\s{0,20}(?:"[^"\n]{0,1000}")?\s{0,20}\))?/g

/**
 * A text without the pictures that stand in it as addresses of data. They are shown, but are no words: neither sent to a model nor found.
 */
export function withoutPictures(text: string): string {
  return text.includes('data:') ? text.replace(PICTURE, '') : text
}
