import type { Parts } from '#web/i18n/dictionary.ts'
import styles from './Ruler.module.css'

type RulerProps = {
  used: number
  allowed: number
  /** The whole sentence, for those who do not see the ticks; it also stands beside them. */
  text: string
}

/** One tick for each allowed question, filled = used: the sign of this product. */
export function Ruler({ used, allowed, text }: RulerProps) {
  const { ticks, filled, form, tone } = rulerOf(used, allowed)
  return (
    <div
      className={`${styles.ruler} ${styles[form]} ${styles[tone]}`}
      role="meter"
      aria-valuenow={used}
      aria-valuemin={0}
      aria-valuemax={Math.max(allowed, used)}
      aria-valuetext={text}
      aria-label={text}
    >
      {Array.from({ length: ticks }, (_, at) => (
        <i key={at} className={at < filled ? styles.used : undefined} />
      ))}
    </div>
  )
}

/** Up to so many, each allowed question has a tick of its own; beyond, fifty ticks stand in proportion. */
const MOST_TICKS = 60
const IN_PROPORTION = 50
const JOINED = 20

export type RulerLook = { ticks: number; filled: number; form: 'blocks' | 'ticks'; tone: 'calm' | 'warm' | 'full' }

/** At 80 % used all filled ticks turn amber, at 100 % red. */
export function rulerOf(used: number, allowed: number): RulerLook {
  const share = allowed <= 0 ? 1 : Math.min(1, used / allowed)
  const ticks = allowed > MOST_TICKS ? IN_PROPORTION : Math.max(1, allowed)
  // One that is used shows, and one that is left shows too.
  const rounded =
    share === 0 || share === 1 ? share * ticks : Math.min(ticks - 1, Math.max(1, Math.round(share * ticks)))
  return {
    ticks,
    filled: ticks === 1 ? Math.floor(share) : rounded,
    form: allowed <= JOINED ? 'blocks' : 'ticks',
    tone: share >= 1 ? 'full' : share >= 0.8 ? 'warm' : 'calm',
  }
}

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
