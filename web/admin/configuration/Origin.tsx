import { useLanguage, useTranslate, useTranslateAround } from '#web/i18n/useTranslate.ts'
import { formatDate } from '#web/foundation/times.ts'
import styles from './configuration.module.css'
import type { Row } from './settings/rows.ts'
import type { ConfigurationForm } from './useConfiguration.ts'

type SettingOriginProps = {
  row: Row
  configuration: ConfigurationForm
  /** In words: the saved value, and the one in force when nothing is stored. */
  saved: string
  fallback: string
}

/** Where a value comes from, and the way back from it. */
export function SettingOrigin(props: SettingOriginProps) {
  const { row, configuration } = props
  const { form } = configuration
  if (form.edits.has(row.path)) return <Changed {...props} />
  if (form.base._origins[row.path] === 'environment') return <Locked row={row} configuration={configuration} />
  if (row.startOnly) return <StartOnly row={row} configuration={configuration} />
  return form.base._stored[row.path] === undefined ? <Unstored {...props} /> : <Stored {...props} />
}

function Changed({ row, configuration: { form, undo }, saved, fallback }: SettingOriginProps) {
  const t = useTranslate()
  const isReset = form.edits.get(row.path) === 'reset'
  const source = form.base._stored[row.path]?.fallback_origin ?? 'default'
  return (
    <p className={styles.from}>
      <strong>{t(isReset ? 'settings.willBeDefault' : 'settings.changed')}</strong>
      <span>{t('settings.savedValue', { value: saved })}</span>
      <span>{t(`settings.fallback.${source}`, { value: fallback })}</span>
      <button type="button" onClick={() => undo(row.path)}>
        {t('settings.undo')}
      </button>
    </p>
  )
}

function Locked({ row, configuration: { form } }: Pick<SettingOriginProps, 'row' | 'configuration'>) {
  return (
    <p className={styles.from}>
      <NamedVariable text="settings.from.locked" variable={form.base._variables[row.path] ?? row.variable} />
    </p>
  )
}

function StartOnly({ row, configuration: { form } }: Pick<SettingOriginProps, 'row' | 'configuration'>) {
  const t = useTranslate()
  return (
    <p className={styles.from}>
      <span>{t(form.base._origins[row.path] === 'file' ? 'settings.from.file' : 'settings.from.default')}</span>
      <NamedVariable text="settings.from.startOnly" variable={row.variable} />
    </p>
  )
}

type NamedVariableProps = { text: 'settings.from.locked' | 'settings.from.startOnly'; variable: string }

function NamedVariable({ text, variable }: NamedVariableProps) {
  const [before, name, behind] = useTranslateAround()(text, 'variable', { variable })
  return (
    <span>
      {before}
      <code>{name}</code>
      {behind}
    </span>
  )
}

function Unstored({ row, configuration: { form }, fallback }: SettingOriginProps) {
  const t = useTranslate()
  if (form.base._origins[row.path] !== 'file') return <p className={styles.from}>{t('settings.from.default')}</p>
  return (
    <p className={styles.from}>
      <span>{t('settings.from.file')}</span>
      <span>{t('settings.fallback.default', { value: fallback })}</span>
    </p>
  )
}

function Stored({ row, configuration: { form, edit }, fallback }: SettingOriginProps) {
  const t = useTranslate()
  const language = useLanguage()
  const stored = form.base._stored[row.path]
  if (stored === undefined) return null
  const date = formatDate(new Date(stored.changed_at), language)
  return (
    <p className={styles.from}>
      <span>
        {stored.changed_by === null
          ? t('settings.from.storedSometime', { date })
          : t('settings.from.stored', { name: stored.changed_by, date })}
      </span>
      <span>{t(`settings.fallback.${stored.fallback_origin}`, { value: fallback })}</span>
      <button type="button" onClick={() => edit(row, 'reset')}>
        {t(stored.fallback_origin === 'file' ? 'settings.backToFile' : 'settings.backToDefault')}
      </button>
    </p>
  )
}
