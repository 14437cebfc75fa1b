import { useQuery } from '@tanstack/react-query'
import { REPLAY_DAYS, replayPlan } from '#contract/lending.ts'
import type { PlanChanges } from '#contract/plans.ts'
import { call } from '#web/foundation/call.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { ReplayResult } from './ReplayResult.tsx'
import { useSettled } from './useSettled.ts'
import styles from './lending.module.css'

type WeightPreviewProps = { plan_id: number; changes: PlanChanges }

/** What the real asks of the last month would have met with another weight, before it is saved. */
export function WeightPreview({ plan_id, changes }: WeightPreviewProps) {
  const t = useTranslate()
  const body = useSettled(changes)
  const { data, isError } = useQuery({
    queryKey: ['admin', 'plans', 'replay', plan_id, body],
    queryFn: ({ signal }) => call(replayPlan, { params: { id: String(plan_id) }, body }, { signal }),
    retry: false,
    meta: { quiet: true },
  })
  if (isError) return null
  return (
    <section className={styles.replay} aria-live="polite" aria-busy={data === undefined} data-testid="weight-preview">
      <h4>{t('replay.title', { count: REPLAY_DAYS })}</h4>
      {data === undefined ? (
        <p>{t('replay.counting')}</p>
      ) : data.length === 0 ? (
        <p>{t('replay.none')}</p>
      ) : (
        data.map(({ upstream_id, label, replay }) => <ReplayResult key={upstream_id} label={label} replay={replay} />)
      )}
      <p className={styles.note}>{t('replay.note')}</p>
    </section>
  )
}
