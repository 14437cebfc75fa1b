import { useLanguage, useTranslate, useTranslateAround } from '#web/i18n/useTranslate.ts'
import { IconKey } from '#web/kit/icons.ts'
import { Tag } from '#web/kit/Tag.tsx'
import { everyAdminSlots } from '#web/sources/list/adminSlots.ts'
import { MistakeText, type RowProps, SettingConflict, useMistake } from './Conflict.tsx'
import styles from './configuration.module.css'
import { Control, isGroup, isWide, LockedValue } from './controls/Control.tsx'
import { fieldId, fromId, helpId, nameId, rowId } from './controls/controlProps.ts'
import { fallbackOf, RESET, savedValue, type SettingsForm, shownValue } from './settings/form.ts'
import { isCredential, type Row } from './settings/rows.ts'
import { SecretRow } from './SecretRow.tsx'
import { useSettingTexts } from './settings/useSettingTexts.ts'
import { formatDate } from '#web/foundation/times.ts'

/** Name and help at the left, the control at the right, and under it where the value comes from. */
export function SettingRow(props: RowProps) {
  const { row, configuration } = props
  const isChanged = configuration.isChanged(row.path)
  const classes = [styles.row, isChanged && styles.changed, isWide(row.shape) && styles.wide].filter(Boolean)
  return (
    <div id={rowId(row.path)} className={classes.join(' ')} tabIndex={-1} data-testid="setting" data-path={row.path}>
      <RowName row={row} isField={!isLocked(props) && !isGroup(row.shape)} />
      <div>{isCredential(row) ? <SecretRow {...props} /> : <SettingControl {...props} />}</div>
    </div>
  )
}

export function RowName({ row, isField }: { row: Row; isField: boolean }) {
  const t = useTranslate()
  const { nameOf, helpOf } = useSettingTexts()
  return (
    <div>
      <div className={styles.name}>
        {isField ? (
          <label id={nameId(row.path)} htmlFor={fieldId(row.path)}>
            {nameOf(row.path)}
          </label>
        ) : (
          <span id={nameId(row.path)}>{nameOf(row.path)}</span>
        )}
        {row.secret && (
          <Tag>
            <IconKey size={14} aria-hidden />
            {t('settings.secret')}
          </Tag>
        )}
        {row.restart && !row.startOnly && <Tag tone="amber">{t('settings.restart')}</Tag>}
      </div>
      <p className={styles.help} id={helpId(row.path)}>
        {helpOf(row)}
      </p>
    </div>
  )
}

export function SettingControl({ row, configuration }: RowProps) {
  const texts = useSettingTexts()
  const { path, shape } = row
  const lockedWords = useLockedWords({ row, configuration })
  const mistake = useMistake({ row, configuration })
  return (
    <>
      {isLocked({ row, configuration }) ? (
        <LockedValue value={lockedWords} />
      ) : (
        <Control
          path={path}
          shape={shape}
          value={shownValue(configuration, row)}
          invalid={mistake !== null}
          onChange={value => configuration.change({ [path]: value })}
        />
      )}
      {mistake !== null && <MistakeText text={mistake} />}
      <div id={fromId(path)}>
        <SettingOrigin
          row={row}
          configuration={configuration}
          saved={texts.words(path, shape, savedValue(configuration, row))}
          fallback={texts.words(path, shape, fallbackOf(configuration, row))}
        />
      </div>
      {everyAdminSlots().map(
        ([
          source,
          {
            settings: { [path]: Under },
          },
        ]) => Under && <Under key={source} />,
      )}
      <SettingConflict row={row} configuration={configuration} />
    </>
  )
}

/** Whether it is set by something that the page cannot change. */
function isLocked({ row, configuration: { base, secrets } }: RowProps): boolean {
  if (!isCredential(row)) return row.startOnly || base._origins[row.path] === 'environment'
  const origin = secrets._set[row.key]?.origin
  return origin === 'environment' || origin === 'file'
}

/** A secret is not sent: only whether there is one. */
function useLockedWords({ row, configuration }: RowProps): string {
  const t = useTranslate()
  const { words } = useSettingTexts()
  if (!row.secret) return words(row.path, row.shape, savedValue(configuration, row))
  return t(configuration.base._set_secrets.includes(row.path) ? 'settings.secret.isSet' : 'settings.secret.notSet')
}

type SettingOriginProps = {
  row: Row
  configuration: SettingsForm
  /** In words: the saved value, and the one in force when nothing is stored. */
  saved: string
  fallback: string
}

/** Where a value comes from, and the way back from it. */
function SettingOrigin(props: SettingOriginProps) {
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
