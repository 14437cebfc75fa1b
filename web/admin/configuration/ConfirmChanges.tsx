import { Button } from '@mantine/core'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'
import { Tag } from '#web/kit/Tag.tsx'
import type { RowProps } from './Conflict.tsx'
import styles from './configuration.module.css'
import { savedValue, type SettingsForm, shownValue } from './settings/form.ts'
import { isCredential, ROWS } from './settings/rows.ts'
import { useSettingTexts } from './settings/useSettingTexts.ts'

type ConfirmChangesProps = { configuration: SettingsForm; onAnswer(confirmed: boolean): void }

/** Each change with its value before and after. */
export function ConfirmChanges({ configuration, onAnswer }: ConfirmChangesProps) {
  const t = useTranslate()
  const changed = ROWS.filter(({ path }) => configuration.isChanged(path))
  return (
    <Dialog title={t('settings.confirm.title', { count: changed.length })} onClose={() => onAnswer(false)}>
      <dl className={styles.differences}>
        {changed.map(row => (
          <Difference key={row.path} row={row} configuration={configuration} />
        ))}
      </dl>
      <DialogFooter>
        <Button variant="subtle" color="gray" onClick={() => onAnswer(false)}>
          {t('kit.cancel')}
        </Button>
        <Button data-autofocus onClick={() => onAnswer(true)}>
          {t('settings.confirm.verb')}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

function Difference({ row, configuration }: RowProps) {
  const t = useTranslate()
  const { nameOf, words } = useSettingTexts()
  return (
    <div>
      <dt>
        {nameOf(row.path)}
        {row.restart && <Tag tone="amber">{t('settings.restart')}</Tag>}
      </dt>
      {isCredential(row) ? (
        <dd className={styles.after}>{t('settings.confirm.newSecret')}</dd>
      ) : (
        <dd>
          <span className="visually-hidden">{t('settings.confirm.before')}</span>
          <span className={styles.before}>{words(row.path, row.shape, savedValue(configuration, row))}</span>
          <span aria-hidden> → </span>
          <span className="visually-hidden">{t('settings.confirm.after')}</span>
          <span className={styles.after}>{words(row.path, row.shape, shownValue(configuration, row))}</span>
        </dd>
      )}
    </div>
  )
}
