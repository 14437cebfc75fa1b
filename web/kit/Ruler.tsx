import { rulerOf } from './ruler.ts'
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
