import styles from './UsageMeter.module.css'

type UsageMeterProps = {
  used: number
  allowed: number
  /** The sentence beside it, for screen readers. */
  text: string
}

/** One tick for each allowed question, filled when used. */
export function UsageMeter({ used, allowed, text }: UsageMeterProps) {
  const { ticks, filled, form, tone } = meterLook(used, allowed)
  return (
    <div
      className={`${styles.meter} ${styles[form]} ${styles[tone]}`}
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

/** Up to this many questions have a tick each; above that, PROPORTIONAL_TICKS ticks show the proportion. */
const MAX_TICKS = 60
const PROPORTIONAL_TICKS = 50
/** Up to this many ticks are drawn as wide blocks. */
const MAX_BLOCKS = 20

type MeterLook = { ticks: number; filled: number; form: 'blocks' | 'ticks'; tone: Fullness }

/** How it is drawn. Filled ticks change their colour as it fills. */
export function meterLook(used: number, allowed: number): MeterLook {
  const share = allowed <= 0 ? 1 : Math.min(1, used / allowed)
  const ticks = allowed > MAX_TICKS ? PROPORTIONAL_TICKS : Math.max(1, allowed)
  // At least one tick shows that something is used, and one that something is left.
  const rounded =
    share === 0 || share === 1 ? share * ticks : Math.min(ticks - 1, Math.max(1, Math.round(share * ticks)))
  return {
    ticks,
    filled: ticks === 1 ? Math.floor(share) : rounded,
    form: allowed <= MAX_BLOCKS ? 'blocks' : 'ticks',
    tone: fullnessOf(used, allowed),
  }
}

export type Fullness = 'calm' | 'warm' | 'full'

/** Nearly full from 80 %, full at 100 %. */
export function fullnessOf(used: number, allowed: number): Fullness {
  if (used >= allowed) return 'full'
  return used >= allowed * 0.8 ? 'warm' : 'calm'
}
