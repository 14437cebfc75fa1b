import type { Parts } from '#web/i18n/dictionary.ts'

/** A sentence with the number that the eye looks for in bold; the sentence stays one text, whatever the language does with the number. */
export function Emphasised({ parts: [before, number, behind] }: { parts: Parts }) {
  return number === '' ? (
    before
  ) : (
    <>
      {before}
      <b>{number}</b>
      {behind}
    </>
  )
}
