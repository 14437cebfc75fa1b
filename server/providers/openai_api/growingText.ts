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
      half = endsInHalf(given) ? given.slice(-1) : ''
      const whole = (half === '' ? given : given.slice(0, -1)).toWellFormed()
      isFull = whole.length > most - text.length
      const added = isFull ? withoutHalf(whole.slice(0, most - text.length)) : whole
      text += added
      return added
    },
  }
}

/** In the first half of a surrogate pair. */
function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xD800 && last <= 0xDBFF
}

const withoutHalf = (text: string) => (endsInHalf(text) ? text.slice(0, -1) : text)
