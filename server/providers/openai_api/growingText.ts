import { MOST_PICTURES, withoutPictures } from '#contract/messages.ts'

/** How much may still be added to an answer, its thoughts included; pictures within it count by themselves. */
export type Room = { characters: number; pictures: number }

export const roomFor = (characters: number): Room => ({ characters, pictures: MOST_PICTURES })

/** Shorter ones are not looked through for pictures. */
const MAY_BE_PICTURE = 2_000

/** A text as it grows: storable in both databases, of limited length, and never ending in half a surrogate pair. */
export function growingText(room: Room) {
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
      const pictures =
        whole.length < MAY_BE_PICTURE ? 0 : Math.min(whole.length - withoutPictures(whole).length, room.pictures)
      isFull = whole.length - pictures > room.characters
      const added = isFull ? withoutHalf(whole.slice(0, room.characters)) : whole
      room.pictures -= pictures
      room.characters -= isFull ? added.length : added.length - pictures
      text += added
      return added
    },
  }
}

/** In the first half of a surrogate pair. */
function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}

const withoutHalf = (text: string) => (endsInHalf(text) ? text.slice(0, -1) : text)
