import type { CredentialState } from '#contract/configuration/credentials.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { formatDate } from '#web/foundation/times.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useLanguage, useTranslate, useTranslateAround } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'
import { SettingConflict, MistakeText, type RowProps, useMistake } from './Conflict.tsx'
import styles from './configuration.module.css'
import { describedBy, fromId } from './controls/controlProps.ts'
import controls from './controls/controls.module.css'
import { LockedValue } from './controls/Control.tsx'
import { shownValue } from './settings/form.ts'
import { refreshSettings, storeSettings } from './useConfiguration.ts'
import { useSettingTexts } from './settings/useSettingTexts.ts'

const UNSET: CredentialState = {
  set: false,
  last4: null,
  origin: null,
  variable: null,
  changed_by: null,
  changed_at: null,
  kept_for: null,
  unreadable: false,
}

/** A credential is never read back: the row shows whether there is one, its last characters, and who set it when. */
export function SecretRow({ row, configuration }: RowProps) {
  const t = useTranslate()
  const state = configuration.secrets._set[row.key] ?? UNSET
  const mistake = useMistake({ row, configuration })
  const enter = (value: string) =>
    value === '' ? configuration.undo(row.path) : configuration.change({ [row.path]: value })
  if (state.origin === 'environment' || state.origin === 'file')
    return (
      <>
        <LockedValue value={t('settings.secret.isSet')} />
        <Given state={state} />
      </>
    )
  return (
    <>
      <span className={controls.field}>
        <input
          {...describedBy({ path: row.path, invalid: mistake !== null })}
          type="password"
          autoComplete="new-password"
          placeholder={t(state.set ? 'settings.secret.set' : 'settings.secret.notSet')}
          value={String(shownValue(configuration, row))}
          onChange={event => enter(event.currentTarget.value.trim())}
        />
      </span>
      {mistake !== null && <MistakeText text={mistake} />}
      <div id={fromId(row.path)}>
        <SetBy row={row} configuration={configuration} state={state} />
      </div>
      <SettingConflict row={row} configuration={configuration} />
    </>
  )
}

function Given({ state: { origin, variable } }: { state: CredentialState }) {
  const t = useTranslate()
  const around = useTranslateAround()
  if (origin === 'file' || variable === null) return <p className={styles.from}>{t('settings.from.file')}</p>
  const [before, name, behind] = around('settings.from.locked', 'variable', { variable })
  return (
    <p className={styles.from}>
      <span>
        {before}
        <code>{name}</code>
        {behind}
      </span>
    </p>
  )
}

function SetBy({ row, configuration, state }: RowProps & { state: CredentialState }) {
  const t = useTranslate()
  const language = useLanguage()
  const clear = useClear(row, state)
  const { changed_at, changed_by, last4, kept_for } = state
  const isChanged = configuration.isChanged(row.path)
  if (changed_at === null && !isChanged) return <p className={styles.from} />
  const date = changed_at === null ? '' : formatDate(new Date(changed_at), language)
  return (
    <p className={styles.from}>
      {isChanged && <strong>{t('settings.changed')}</strong>}
      {changed_at !== null && (
        <span>
          {changed_by === null
            ? t('settings.secret.setOn', { date })
            : t('settings.secret.setBy', { name: changed_by, date })}
        </span>
      )}
      {last4 !== null && <span>{t('settings.secret.end', { last4 })}</span>}
      {state.unreadable && <strong>{t('settings.secret.unreadable')}</strong>}
      {kept_for !== null && <span>{t('settings.secret.keptFor', { address: kept_for })}</span>}
      {isChanged ? (
        <button type="button" onClick={() => configuration.undo(row.path)}>
          {t('settings.undo')}
        </button>
      ) : (
        <button type="button" onClick={clear}>
          {t('settings.secret.clear')}
        </button>
      )}
    </p>
  )
}

/** Clears the credential at once, since it was confirmed; refused when somebody has set another one meanwhile. */
function useClear({ path, key }: RowProps['row'], { changed_at }: CredentialState): () => Promise<void> {
  const t = useTranslate()
  const { nameOf } = useSettingTexts()
  return async () => {
    const confirmed = await confirm({
      title: t('settings.secret.clear.title', { name: nameOf(path) }),
      text: t('settings.secret.clear.text'),
      verb: t('settings.secret.clear.verb'),
      danger: true,
    })
    if (!confirmed) return
    try {
      await storeSettings({ credentials: { [key]: null }, expected: { credentials: { [key]: changed_at } } })
      toast.success(t('settings.secret.cleared'))
    } catch (error) {
      reportFailure(error)
    }
    await refreshSettings().catch(reportFailure)
  }
}
