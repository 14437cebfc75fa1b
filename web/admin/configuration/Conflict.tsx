import { useTranslate } from '#web/i18n/useTranslate.ts'
import { formatTimeOfDay } from '#web/foundation/times.ts'
import { IconAlertTriangle } from '#web/kit/icons.ts'
import styles from './configuration.module.css'
import { savedValue, type SettingsForm, shownValue } from './settings/form.ts'
import { mistakeIn } from './settings/mistakes.ts'
import { isCredential, type Row } from './settings/rows.ts'
import { useSettingTexts } from './settings/useSettingTexts.ts'

/** Two people changed the same setting: shows the other one's value, and lets one choose between both. */
export function SettingConflict({ row, configuration }: RowProps) {
  const t = useTranslate()
  const { conflicts, settle } = configuration
  if (!conflicts.some(({ name }) => name === row.path)) return null
  return (
    <div className={styles.conflict} role="alert" data-testid="conflict">
      {isCredential(row) ? (
        <OtherSecret row={row} configuration={configuration} />
      ) : (
        <OtherValue row={row} configuration={configuration} />
      )}
      <div>
        <button type="button" onClick={() => settle(row.path, 'theirs')}>
          {t('settings.conflict.theirs')}
        </button>
        <button type="button" onClick={() => settle(row.path, 'mine')}>
          {t('settings.conflict.mine')}
        </button>
      </div>
    </div>
  )
}

function OtherValue({ row, configuration }: RowProps) {
  const t = useTranslate()
  const { words } = useSettingTexts()
  const value = words(row.path, row.shape, savedValue(configuration, row))
  const stored = configuration.base._stored[row.path]
  const name = stored?.changed_by ?? null
  return stored === undefined || name === null
    ? t('settings.conflict.byNobody', { value })
    : t('settings.conflict.byName', { name, time: formatTimeOfDay(new Date(stored.changed_at)), value })
}

/** A secret is not shown: only who set it, and when. */
function OtherSecret({ row, configuration }: RowProps) {
  const t = useTranslate()
  const { changed_by: name = null, changed_at = null } = configuration.secrets._set[row.key] ?? {}
  return name === null || changed_at === null
    ? t('settings.conflict.secret')
    : t('settings.conflict.secretBy', { name, time: formatTimeOfDay(new Date(changed_at)) })
}

export type RowProps = { row: Row; configuration: SettingsForm }

/** The mistake in a changed value. One that the server found is shown until the value is changed again. */
export function useMistake({ row, configuration }: RowProps): string | null {
  const { mistakeText, refusalText } = useSettingTexts()
  const refused = configuration.refused[row.path]
  if (refused !== undefined) return refusalText(row.path, refused)
  if (!configuration.isChanged(row.path)) return null
  const mistake = mistakeIn(row, shownValue(configuration, row))
  return mistake === null ? null : mistakeText(row, mistake)
}

export function MistakeText({ text }: { text: string }) {
  return (
    <p className={styles.wrong} role="alert">
      <IconAlertTriangle size={14} aria-hidden />
      <span>{text}</span>
    </p>
  )
}
