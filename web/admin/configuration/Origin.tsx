import { useLanguage, useTranslate, useTranslateAround } from '#web/i18n/useTranslate.ts'
import { formatDate } from '#web/foundation/times.ts'
import styles from './configuration.module.css'
import { RESET, type SettingsForm } from './settings/form.ts'
import type { Row } from './settings/rows.ts'

type SettingOriginProps = {
  row: Row
  configuration: SettingsForm
  /** In words: the saved value, and the one in force when nothing is stored. */
  saved: string
  fallback: string
}

/** Where a value comes from, and the way back from it. */
export function SettingOrigin(props: SettingOriginProps) {
  const { row, configuration } = props
  const { base } = configuration
  if (configuration.isChanged(row.path)) return <Changed {...props} />
  if (base._origins[row.path] === 'environment') return <Locked row={row} configuration={configuration} />
  if (row.startOnly) return <StartOnly row={row} configuration={configuration} />
  return base._stored[row.path] === undefined ? <Unstored {...props} /> : <Stored {...props} />
}

function Changed({ row, configuration: { base, values, undo }, saved, fallback }: SettingOriginProps) {
  const t = useTranslate()
  const isReset = values[row.path] === RESET
  const source = base._stored[row.path]?.fallback_origin ?? 'default'
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

function Locked({ row, configuration: { base } }: Pick<SettingOriginProps, 'row' | 'configuration'>) {
  return (
    <p className={styles.from}>
      <NamedVariable text="settings.from.locked" variable={base._variables[row.path] ?? row.variable} />
    </p>
  )
}

function StartOnly({ row, configuration: { base } }: Pick<SettingOriginProps, 'row' | 'configuration'>) {
  const t = useTranslate()
  return (
    <p className={styles.from}>
      <span>{t(base._origins[row.path] === 'file' ? 'settings.from.file' : 'settings.from.default')}</span>
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

function Unstored({ row, configuration: { base }, fallback }: SettingOriginProps) {
  const t = useTranslate()
  if (base._origins[row.path] !== 'file') return <p className={styles.from}>{t('settings.from.default')}</p>
  return (
    <p className={styles.from}>
      <span>{t('settings.from.file')}</span>
      <span>{t('settings.fallback.default', { value: fallback })}</span>
    </p>
  )
}

function Stored({ row, configuration: { base, change }, fallback }: SettingOriginProps) {
  const t = useTranslate()
  const language = useLanguage()
  const stored = base._stored[row.path]
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
      <button type="button" onClick={() => change({ [row.path]: RESET })}>
        {t(stored.fallback_origin === 'file' ? 'settings.backToFile' : 'settings.backToDefault')}
      </button>
    </p>
  )
}
