const HIGH_HALF = /[\uD800-\uDBFF]$/

/** The text of an answer as it grows: what any database can keep, at most so long, and never with half a character at its end. */
export function growingText(most: number) {
  let text = ''
  let half = ''
  let isFull = false
  return {
    text: () => text,
    /** More came than there was room for. */
    isFull: () => isFull,
    /** Gives what was really added: the first half of a character waits for the second. */
    add(more: string): string {
      if (more === '' || isFull) return ''
      const given = half + more
      half = HIGH_HALF.exec(given)?.[0] ?? ''
      const whole = given.slice(0, given.length - half.length).toWellFormed()
      isFull = whole.length > most - text.length
      const added = isFull ? whole.slice(0, most - text.length).replace(HIGH_HALF, '') : whole
      text += added
      return added
    },
  }
}
