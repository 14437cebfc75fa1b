import { Button } from '@mantine/core'
import { formatTimeOfDay } from '#web/foundation/times.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconDoorExit } from '#web/kit/icons.ts'
import styles from './asking.module.css'
import { roundedEstimate } from './estimate.ts'
import { Lane } from './Lane.tsx'

type QueuePanelProps = { place: number; estimate_seconds: number | null; cooling_until?: string; onLeave(): void }

/** Stands where the answer will be: the place, the estimate, and that it starts by itself. */
export function QueuePanel({ place, estimate_seconds, cooling_until, onLeave }: QueuePanelProps) {
  const t = useTranslate()
  const estimate = roundedEstimate(estimate_seconds)
  return (
    <section className={styles.queue} aria-live="polite">
      <p className={styles.place}>
        {estimate === null ? t('ask.placeOnly', { place }) : t('ask.place', { place, estimate_seconds: estimate })}
      </p>
      <p className={styles.queueText}>
        {cooling_until === undefined
          ? t('ask.queueText')
          : t('ask.coolingText', { time: formatTimeOfDay(new Date(cooling_until)) })}
      </p>
      <Lane place={place} />
      <Button variant="default" size="xs" leftSection={<IconDoorExit size={14} aria-hidden />} onClick={onLeave}>
        {t('ask.leaveQueue')}
      </Button>
    </section>
  )
}
