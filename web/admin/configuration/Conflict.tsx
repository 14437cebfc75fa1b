import { useTranslate } from '#web/i18n/useTranslate.ts'
import { formatTimeOfDay } from '#web/foundation/times.ts'
import styles from './configuration.module.css'
import { savedValue } from './form.ts'
import type { RowProps } from './MistakeText.tsx'
import { useSettingTexts } from './useSettingTexts.ts'

/** Both changed the same: says what the other one made of it, and whose value counts is chosen here. */
export function Conflict({ row, configuration: { form, undo, keepMine } }: RowProps) {
  const t = useTranslate()
  const { words } = useSettingTexts()
  const value = words(row.path, row.shape, savedValue(form, row))
  const stored = form.base._stored[row.path]
  const name = stored?.changed_by ?? null
  return (
    <div className={styles.conflict} role="alert" data-testid="conflict">
      {stored === undefined || name === null
        ? t('settings.conflict.byNobody', { value })
        : t('settings.conflict.byName', { name, time: formatTimeOfDay(new Date(stored.changed_at)), value })}
      <div>
        <button type="button" onClick={() => undo(row.path)}>
          {t('settings.conflict.theirs')}
        </button>
        <button type="button" onClick={() => keepMine(row.path)}>
          {t('settings.conflict.mine')}
        </button>
      </div>
    </div>
  )
}
