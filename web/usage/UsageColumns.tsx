import { SOURCES } from '#contract/models.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { axisEnd, type Column } from './calendar.ts'
import styles from './usage.module.css'

/** The plot: its size, where the columns stand, and their widths. */
const WIDTH = 552
const BASE = 108
const TOP = 8
const LEFT = 26
const COLUMN = 29.8
const STEP = 43.83

/** Asks of twelve weeks or months in columns, a part for each source. */
export function UsageColumns({ columns, span }: { columns: readonly Column[]; span: 'weeks' | 'months' }) {
  const t = useTranslate()
  const highest = Math.max(...columns.map(({ asks }) => SOURCES.reduce((sum, source) => sum + asks[source], 0)))
  const end = axisEnd(highest)
  const heightOf = (asks: number) => (asks / end) * (BASE - TOP)
  return (
    <svg className={styles.plot} viewBox={`0 0 ${WIDTH} 132`} role="img" aria-label={t(`usage.plot.${span}`)}>
      {[0, 1, 2, 3].map(line => {
        const y = BASE - heightOf((end / 3) * line)
        return (
          <g key={line}>
            <line className={line === 0 ? styles.base : styles.grid} x1={LEFT} x2={WIDTH} y1={y} y2={y} />
            <text x={LEFT - 8} y={y + 4} textAnchor="end">
              {(end / 3) * line}
            </text>
          </g>
        )
      })}
      {columns.map(({ start, asks }, at) => {
        const x = LEFT + 7 + at * STEP
        let y = BASE
        return (
          <g key={start}>
            {SOURCES.filter(source => asks[source] > 0).map(source => {
              const height = heightOf(asks[source])
              y -= height
              return (
                <rect
                  key={source}
                  className={styles[source]}
                  x={x}
                  y={y}
                  width={COLUMN}
                  height={Math.max(0.5, height - 1)}
                  rx={2}
                />
              )
            })}
            {(at % 4 === 0 || at === columns.length - 1) && (
              <text x={x + COLUMN / 2} y={127} textAnchor="middle">
                {at === columns.length - 1
                  ? t(span === 'weeks' ? 'usage.thisWeek' : 'usage.thisMonth')
                  : shortOf(start)}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}

/** "8/31" of a day, "2026/8" of a month. */
const shortOf = (start: string): string => {
  const [year = '', month = '', day] = start.split('-')
  return day === undefined ? `${year}/${Number(month)}` : `${Number(month)}/${Number(day)}`
}
