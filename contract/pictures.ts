/** Maximum length, in characters, of all pictures in the text of one answer. */
export const MOST_PICTURES = 32 * 1024 * 1024

/** Shorter data addresses are text about data addresses, not pictures. */
const PICTURE =
  /(?:!\[[^\]\n]{0,1000}\]\(\s{0,20}<?)?data:[\w/.+-]{1,100}(?:;[\w=.-]{1,100}){0,5},[A-Za-z0-9+/=_%-]{200,}(?:>?\s{0,20}(?:"[^"\n]{0,1000}")?\s{0,20}\))?/g

/** Removes pictures (data: URLs) from a text. They are shown, but neither sent to a model nor searched. */
export function withoutPictures(text: string): string {
  return text.includes('data:') ? text.replace(PICTURE, '') : text
}
