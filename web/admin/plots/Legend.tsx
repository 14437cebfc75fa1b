import { useTranslate } from '#web/i18n/useTranslate.ts'
import { DASHES, type PlotLook, type Plotted, spanText } from './plotted.ts'
import styles from './plots.module.css'

type LegendProps = {
  plotted: Plotted
  hidden: ReadonlySet<string>
  /** The bucket under the cursor, whose values are shown; null: values of the whole range. */
  bucket: number | null
  onToggle(key: string): void
}

/** The names and values of the series. A click hides one. */
export function Legend({ plotted: { look, data, series }, hidden, bucket, onToggle }: LegendProps) {
  const t = useTranslate()
  return (
    <div className={styles.legend} role="group" aria-label={t('plots.legend')}>
      {series.map(one => {
        const value = bucket === null ? one.whole : (one.values[bucket] ?? null)
        return (
          <button key={one.key} type="button" aria-pressed={!hidden.has(one.key)} onClick={() => onToggle(one.key)}>
            <Mark slot={one.slot} kind={look.kind} />
            {one.label}
            <b>{value === null ? '–' : look.format(value)}</b>
          </button>
        )
      })}
      {/* Keeps its room: nothing moves while the cursor comes and goes. */}
      <span className={styles.time} hidden={bucket === null}>
        {spanText(data, bucket ?? data.count - 1)}
      </span>
    </div>
  )
}

const COLORS = [styles.s1, styles.s2, styles.s3, styles.s4, styles.s5, styles.s6, styles.s7, styles.s8]

/** A piece of the line with its dashes, or a square. */
function Mark({ slot, kind }: { slot: number | null; kind: PlotLook['kind'] }) {
  const color = slot === null ? styles.other : COLORS[slot]
  return (
    <svg className={`${styles.mark} ${color}`} viewBox="0 0 18 10" aria-hidden>
      {kind === 'columns' ? (
        <rect x="4" width="10" height="10" rx="2" fill="currentColor" />
      ) : (
        <path
          d="M0 5h18"
          stroke="currentColor"
          strokeWidth="2"
          strokeDasharray={DASHES[(slot ?? 0) % DASHES.length]?.join(' ')}
        />
      )}
    </svg>
  )
}
