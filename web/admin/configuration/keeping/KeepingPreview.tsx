import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Going, KeepingPreview as Preview } from '#contract/keeping.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import type { SettingsForm } from '../settings/form.ts'
import styles from './keeping.module.css'
import { goingText, useCleaningTime, useKeepingPreview } from './useKeepingPreview.ts'

/** Opens what goes at the next 04:00, and whose it is. */
export function KeepingPreview({ configuration }: { configuration: SettingsForm }) {
  const t = useTranslate()
  const [opened, setOpened] = useState(false)
  const preview = useKeepingPreview(configuration)
  const time = useCleaningTime(preview)
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        className={styles.open}
        disabled={preview === undefined}
        data-testid="keeping-preview"
        onClick={() => setOpened(true)}
      >
        {t('keeping.preview')}
      </Button>
      {opened && preview !== undefined && (
        <Dialog title={t('keeping.previewTitle', { time })} width={500} onClose={() => setOpened(false)}>
          <Kinds preview={preview} />
        </Dialog>
      )}
    </>
  )
}

function Kinds({ preview: { aged, deleted, files, held } }: { preview: Preview }) {
  const t = useTranslate()
  return (
    <div className={styles.kinds}>
      <Kind title={t('keeping.kind.aged')} going={aged} />
      <Kind title={t('keeping.kind.deleted')} going={deleted} />
      <section>
        <h3>{t('keeping.kind.files')}</h3>
        <p>
          {files.count === 0
            ? t('keeping.nothing')
            : t('keeping.files', { count: files.count, file_bytes: files.bytes })}
        </p>
      </section>
      {held.length > 0 && (
        <p className={styles.held}>
          {t('keeping.held', { names: held.map(({ nickname }) => nickname).join(t('kit.comma')) })}
        </p>
      )}
      <p className={styles.hint}>{t('keeping.final')}</p>
    </div>
  )
}

function Kind({ title, going }: { title: string; going: Going }) {
  const t = useTranslate()
  return (
    <section>
      <h3>{title}</h3>
      <p>{goingText(going, t)}</p>
      {going.of.length > 1 && (
        <ul>
          {going.of.map(({ owner, conversations }) => (
            <li key={owner?.id ?? 0}>
              <span>{owner?.nickname ?? t('keeping.nobody')}</span>
              <span>{conversations}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
