type EmphasisedProps = {
  text: string
  /** The number in it that the eye looks for. */
  part: string
  /** Begins with the part: tells it from the same number elsewhere in the text. */
  in?: string
}

/** A sentence with its number in bold; the sentence stays one text, whatever the language does with the number. */
export function Emphasised({ text, part, in: place = part }: EmphasisedProps) {
  const at = text.indexOf(place)
  if (part === '' || at === -1) return text
  return <>{text.slice(0, at)}<b>{part}</b>{text.slice(at + part.length)}</>
}
