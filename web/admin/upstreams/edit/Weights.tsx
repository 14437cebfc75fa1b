import { Link } from '@tanstack/react-router'
import type { Source } from '#contract/models.ts'
import type { Changes } from '#web/admin/form/useChanges.ts'
import { useLimitTexts } from '#web/admin/plans/values/limitTexts.ts'
import { usePlans } from '#web/admin/plans/values/plans.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { shareOf } from './accountWindows.ts'
import type { Fields } from './fields.ts'
import styles from './sharing.module.css'

/** Windows that have a column of their own. */
const MAX_COLUMNS = 2

/** What somebody of each plan has if all of them ask. The weights are set where the plans are. */
export function Weights({ form, source }: { form: Changes<Fields>; source: Source }) {
  const t = useTranslate()
  const language = useLanguage()
  const { windowText } = useLimitTexts()
  const { plans = [] } = usePlans()
  const rows = plans
    .filter(({ plan }) => plan.people > 0 && plan.in_force[source].allow_to_use.value)
    .map(({ plan: { id, name, people, in_force } }) => ({ id, name, people, weight: in_force.share_weight.value }))
  if (rows.length === 0) return null
  const { windows, owner_id, reserve_percent } = form.values
  const percent = owner_id === null ? 0 : Number(reserve_percent)
  const shown = windows.slice(0, MAX_COLUMNS)
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  return (
    <>
      <table className={styles.weights}>
        <thead>
          <tr>
            <th scope="col">{t('upstreams.weights.plan')}</th>
            <th scope="col">{t('upstreams.weights.people')}</th>
            <th scope="col">{t('upstreams.weights.weight')}</th>
            {shown.map(({ window, unit }) => (
              <th key={`${unit} ${windowText(window)}`} scope="col">
                {windowText(window)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, people, weight }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              <td>{people}</td>
              <td>{weight}</td>
              {shown.map((window, at) => (
                <td key={at}>
                  <b>{number.format(shareOf(window, percent, weight, rows))}</b>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.help}>
        {t('upstreams.weights.where')} <Link to="/admin/plan">{t('upstreams.weights.go')}</Link>
      </p>
    </>
  )
}
