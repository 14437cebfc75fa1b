import type { Parts } from '#web/i18n/dictionary.ts'

/** A sentence with its number in bold. */
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
