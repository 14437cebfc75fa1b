export type Range = readonly [start: number, end: number]

/** Where these blanks still are, in the order of the text. */
export function blankRanges(text: string, names: readonly string[]): Range[] {
  const ranges: Range[] = []
  for (const name of names) {
    const blank = `[${name}]`
    for (let at = text.indexOf(blank); at >= 0; at = text.indexOf(blank, at + blank.length))
      // The name of a link is none.
      if (text.charAt(at + blank.length) !== '(') ranges.push([at, at + blank.length])
  }
  return ranges.toSorted(([one], [other]) => one - other)
}
