import { type Source, SOURCES } from '#contract/models.ts'
import { usePortal } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'
import { FieldRow } from './fields/FieldRow.tsx'
import { LimitList } from './fields/LimitList.tsx'
import styles from './plans.module.css'
import type { PlanForm } from './usePlanForm.ts'
import { identityOf } from './values/plans.ts'

const WEIGHTS = ['share_weight', 'may_borrow']

const WeightPreview = lazyWithTexts('lending', () =>
  import('#web/lending/WeightPreview.tsx').then(module => module.WeightPreview),
)
const ignore = () => undefined

/** The weight of the share, and the limits of each source. Those of one model are with the models. */
export function LimitsTab({ form }: { form: PlanForm }) {
  const t = useTranslate()
  const sources = useShownSources(form)
  return (
    <>
      <h3 className={styles.heading}>{t('plans.share')}</h3>
      <FieldRow form={form} field="share_weight" />
      <FieldRow form={form} field="may_borrow" />
      {WEIGHTS.some(name => form.changes.isChanged(name)) && (
        <WeightPreview plan_id={form.plan.id} changes={form.weights} onLoadError={ignore} />
      )}
      {sources.map(source => (
        <LimitList key={source} form={form} source={source} />
      ))}
    </>
  )
}

/** Those that are on, and those that have limits. */
export function useShownSources({ limits }: PlanForm): Source[] {
  const portal = usePortal()
  const limited = new Set(limits.map(name => identityOf(name).source))
  return SOURCES.filter(
    source => limited.has(source) || portal?.sources.some(each => each.source === source && each.enabled),
  )
}
