/** A full stop of Latin writing may stand inside a number or an address; it ends a sentence when a blank follows. */
const END = /[。！？…]+[”’」』）]*|[.!?]+["”’)]*(?=\s)|\n/g
const FENCE = /^ {0,3}(`{3,}|~{3,})/gm

/** Where the last sentence ends that is complete in a growing text; `from` when none has come since. Code has no sentences. */
export function endOfSentences(text: string, from: number): number {
  const complete = (text.match(FENCE)?.length ?? 0) % 2 === 0 ? text : text.slice(0, [...text.matchAll(FENCE)].at(-1)?.index)
  let end = from
  END.lastIndex = from
  for (let match = END.exec(complete); match !== null; match = END.exec(complete)) end = match.index + match[0].length
  return end
}

/** As it is read aloud: without marks, and with a word in place of code, of which nobody wants to hear each sign. */
export function spoken(text: string, code: string): string {
  return text.replaceAll(/^ {0,3}(`{3,}|~{3,})[^]*?(?:^ {0,3}\1.*$|$(?![^]))/gm, ` ${code} `)
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[*_`#>|$\\]+/g, ' ').replaceAll(/\s+/g, ' ').trim()
}
