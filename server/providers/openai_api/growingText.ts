const HIGH_HALF = /[\uD800-\uDBFF]$/

/** The text of an answer as it grows: storable in both databases, of limited length, and never ending in half a surrogate pair. */
export function growingText(most: number) {
  let text = ''
  let half = ''
  let isFull = false
  return {
    text: () => text,
    /** More came than there was room for. */
    isFull: () => isFull,
    /** Returns what was really added: the first half of a surrogate pair waits for the second. */
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
