import type { SourceAllowance } from '#contract/allowance.ts'
import type { ApiSetting, WebSetting } from '#contract/limits.ts'
import { UNLIMITED } from '#contract/limits.ts'
import { useModelName } from '#web/foundation/modelName.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { CountRow, LimitRow } from './LimitRow.tsx'

type ModelRowsProps = { setting: WebSetting | ApiSetting; of: SourceAllowance | null }

/** Limited models have a row each; what is not limited needs no more than one row. */
export function ModelRows({ setting: { available_models, per_model_ask_count }, of }: ModelRowsProps) {
  const t = useTranslate()
  const nameOf = useModelName()
  if (available_models.length === 0) return <LimitRow label={t('profile.models')}>{t('profile.models.none')}</LimitRow>
  const counts = available_models.map(code => ({ code, ...countOf(code) }))
  const unlimited = counts.filter(({ allowed }) => allowed === UNLIMITED).map(({ code }) => nameOf(code))
  return (
    <>
      {counts
        .filter(({ allowed }) => allowed !== UNLIMITED)
        .map(({ code, used, allowed }) => (
          <CountRow
            key={code}
            label={nameOf(code)}
            count={{ used, allowed }}
            words={{ left: 'allowance.remaining', none: 'allowance.usedUp' }}
          />
        ))}
      {unlimited.length > 0 && (
        <LimitRow label={t('profile.models')} middle={unlimited.join(t('kit.comma'))}>
          {t('kit.unlimited')}
        </LimitRow>
      )}
    </>
  )

  /** Until the allowance is known, what the account itself says: what remains. */
  function countOf(code: string): { used: number; allowed: number } {
    return (
      of?.models.find(({ model }) => model === code)?.count ?? {
        used: 0,
        allowed: per_model_ask_count[code] ?? UNLIMITED,
      }
    )
  }
}
