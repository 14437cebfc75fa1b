import { Checkbox } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { UNLIMITED } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import type { SourceSummary } from '#contract/userAdministration.ts'
import { useModelName, usePortal } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { CountInput } from './CountField.tsx'
import styles from './edit.module.css'
import type { UserForm } from './useUserForm.ts'

type ModelsTableProps = { source: Source; form: UserForm; summary: SourceSummary }

/** Which models a person may ask, and how often each. */
export function ModelsTable({ source, form, summary }: ModelsTableProps) {
  const t = useTranslate()
  const nameOf = useModelName()
  const enabled = useEnabledModels(source)
  const { available_models, per_model_ask_allowed } = form.draft[source]
  const before = form.base[source].available_models
  const choose = (code: string, chosen: boolean) => {
    const next = new Set(available_models)
    if (chosen) next.add(code)
    else next.delete(code)
    // Keeps the stored order, so that unticking and ticking a box is no change.
    form.change(source, { available_models: [...new Set([...before.filter(each => next.has(each)), ...next])] })
  }
  return (
    <table className={styles.models} aria-label={t('users.models')}>
      <tbody>
        {[...new Set([...enabled, ...before])].map(code => (
          <tr key={code}>
            <td>
              <Checkbox
                label={nameOf(code)}
                checked={available_models.includes(code)}
                onChange={event => choose(code, event.currentTarget.checked)}
              />
            </td>
            <td className={styles.used}>{enabled.includes(code) ? usedText(code) : t('users.model.off')}</td>
            <td>
              {available_models.includes(code) && (
                <CountInput
                  label={t('users.model.count', { model: nameOf(code) })}
                  count={per_model_ask_allowed[code] ?? UNLIMITED}
                  unit={t('users.unit.asks')}
                  onChange={count => form.change(source, { per_model_ask_allowed: { [code]: count } })}
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )

  function usedText(code: string): string | null {
    const used = summary.models.find(({ model }) => model === code)?.count.used ?? 0
    return used === 0 ? null : t('users.used', { count: used })
  }
}

function useEnabledModels(source: Source): string[] {
  const portal = usePortal()
  return portal?.models.filter(model => model.source === source).map(({ code }) => code) ?? []
}
