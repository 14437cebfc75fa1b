import type { AskPlot, SystemInfo } from '#contract/statistics.ts'
import { clockText } from '#web/foundation/times.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './system.module.css'

type FiguresProps = {
  info: SystemInfo | undefined
  asks: AskPlot | undefined
  range: string
}

/** Four numbers and their parts. Until it is known, a number is a dash, so that the layout does not shift. */
export function Figures({ info, asks, range }: FiguresProps) {
  const t = useTranslate()
  const figures = asks?.figures
  const hidden = info === undefined ? undefined : info.total_conversation_count - info.valid_conversation_count
  return (
    <section className={styles.figures} aria-label={t('system.figures')}>
      <Figure
        label={t('system.users')}
        value={info?.total_user_count}
        parts={[
          [t('system.active.5m'), info?.active.in_5m],
          [t('system.active.1h'), info?.active.in_1h],
          [t('system.active.1d'), info?.active.in_1d],
        ]}
      />
      <Figure
        label={t('system.conversations')}
        value={info?.total_conversation_count}
        parts={[
          [t('system.valid'), info?.valid_conversation_count],
          [t('system.hidden'), hidden],
        ]}
      />
      <Figure
        label={t('system.asksIn', { range })}
        value={figures?.asks}
        parts={[
          [t('system.failed'), figures?.failed],
          [t('system.refused'), figures?.refused],
        ]}
      />
      <Figure
        label={t('system.queueing')}
        value={figures === undefined ? undefined : Math.round(figures.mean_queueing_time ?? 0)}
        unit={t('system.seconds')}
        parts={[
          [
            t('system.longest'),
            figures === undefined ? undefined : clockText(Math.floor(figures.longest_queueing_time ?? 0)),
          ],
          [t('system.left'), figures?.left_queue],
        ]}
      />
    </section>
  )
}

type Value = number | string | undefined
type FigureProps = {
  label: string
  value: Value
  unit?: string
  parts: readonly (readonly [name: string, value: Value])[]
}

function Figure({ label, value, unit, parts }: FigureProps) {
  return (
    <div className={styles.figure}>
      <p className={styles.label}>{label}</p>
      <p className={styles.value}>
        {shown(value)}
        {unit !== undefined && <small> {unit}</small>}
      </p>
      <p className={styles.parts}>
        {parts.map(([name, part]) => (
          <span key={name}>
            {name} <b>{shown(part)}</b>
          </span>
        ))}
      </p>
    </div>
  )
}

const shown = (value: Value) => (typeof value === 'number' ? value.toLocaleString('en-US') : (value ?? '–'))
