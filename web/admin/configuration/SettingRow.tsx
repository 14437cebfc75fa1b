import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconKey } from '#web/kit/icons.ts'
import { Tag } from '#web/kit/Tag.tsx'
import { everyAdminSlots } from '#web/sources/list/adminSlots.ts'
import { SettingConflict, MistakeText, type RowProps, useMistake } from './Conflict.tsx'
import styles from './configuration.module.css'
import { Control, isGroup, isWide, LockedValue } from './controls/Control.tsx'
import { fieldId, fromId, helpId, nameId, rowId } from './controls/controlProps.ts'
import { fallbackOf, savedValue, shownValue } from './settings/form.ts'
import { SettingOrigin } from './Origin.tsx'
import { isCredential, type Row } from './settings/rows.ts'
import { SecretRow } from './SecretRow.tsx'
import { useSettingTexts } from './settings/useSettingTexts.ts'

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

function RowName({ row, isField }: { row: Row; isField: boolean }) {
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

function SettingControl({ row, configuration }: RowProps) {
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
