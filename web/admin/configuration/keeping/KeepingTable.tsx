import type { KeepingPreview } from '#contract/keeping.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { rowId } from '../controls/controlProps.ts'
import { RowName, SettingControl } from '../SettingRow.tsx'
import { type SettingsForm, shownValue } from '../settings/form.ts'
import { ROWS, type Row } from '../settings/rows.ts'
import styles from './keeping.module.css'
import { apartTexts, goingText, useCleaningTime, useKeepingPreview } from './useKeepingPreview.ts'

type TableProps = { rows: readonly Row[]; configuration: SettingsForm; onShow(path: string): void }

/** Of each kind: how long it is kept, whom that hits, and what goes at the next 04:00. */
export function KeepingTable({ rows, configuration, onShow }: TableProps) {
  const t = useTranslate()
  const preview = useKeepingPreview(configuration)
  const time = useCleaningTime(preview)
  return (
    <table className={styles.table} data-testid="keeping-table">
      <thead>
        <tr>
          <th scope="col">{t('keeping.what')}</th>
          <th scope="col">{t('keeping.long')}</th>
          <th scope="col">{t('keeping.whom')}</th>
          <th scope="col">{time}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <KeepingRow key={row.path} row={row} configuration={configuration} preview={preview} />
        ))}
        <FilesRow configuration={configuration} preview={preview} onShow={onShow} />
      </tbody>
    </table>
  )
}

type KeepingRowProps = { row: Row; configuration: SettingsForm; preview: KeepingPreview | undefined }

function KeepingRow({ row, configuration, preview }: KeepingRowProps) {
  const isChanged = configuration.isChanged(row.path)
  return (
    <tr
      id={rowId(row.path)}
      className={isChanged ? styles.changed : undefined}
      tabIndex={-1}
      data-testid="setting"
      data-path={row.path}
    >
      <th scope="row">
        <RowName row={row} isField />
      </th>
      <td>
        <SettingControl row={row} configuration={configuration} />
      </td>
      <Effect path={row.path} preview={preview} />
    </tr>
  )
}

/** The kind of what goes, by the path of its setting. */
const KINDS: Readonly<Record<string, 'aged' | 'deleted' | undefined>> = {
  'keeping.conversation_days': 'aged',
  'keeping.deleted_days': 'deleted',
}

function Effect({ path, preview }: { path: string; preview: KeepingPreview | undefined }) {
  const t = useTranslate()
  const kind = KINDS[path]
  if (kind === undefined || preview === undefined)
    return (
      <>
        <td className={styles.hint}>{kind === undefined && t('keeping.all')}</td>
        <td className={styles.hint}>–</td>
      </>
    )
  const apart = apartTexts(preview.apart[kind], t)
  return (
    <>
      <td>
        {apart.length === 0 ? (
          <span className={styles.hint}>{t('keeping.all')}</span>
        ) : (
          <ul>
            {apart.map(text => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
      </td>
      <td aria-live="polite" data-testid="keeping-effect">
        {goingText(preview[kind], t)}
      </td>
    </>
  )
}

/** Files have their days in a section of their own. */
function FilesRow({ configuration, preview, onShow }: Omit<KeepingRowProps, 'row'> & Pick<TableProps, 'onShow'>) {
  const t = useTranslate()
  const row = ROWS.find(({ path }) => path === 'files.retention_days')
  if (row === undefined) return null
  const days = shownValue(configuration, row)
  return (
    <tr data-testid="keeping-files">
      <th scope="row">{t('keeping.kind.files')}</th>
      <td>
        {typeof days === 'number' ? t('keeping.days', { days }) : t('keeping.untilDeleted')}{' '}
        <button type="button" className={styles.link} onClick={() => onShow(row.path)}>
          {t('keeping.change')}
        </button>
      </td>
      <td className={styles.hint}>{t('keeping.all')}</td>
      <td>
        {preview !== undefined &&
          (preview.files.count === 0
            ? t('keeping.nothing')
            : t('keeping.files', { count: preview.files.count, file_bytes: preview.files.bytes }))}
      </td>
    </tr>
  )
}
