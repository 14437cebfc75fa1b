import { useDeferredValue, useState } from 'react'
import { TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listFiles, type OwnFile } from '#contract/ownFiles.ts'
import { call } from '#web/foundation/call.ts'
import { formatDateTime } from '#web/foundation/times.ts'
import { formatBytes } from '#web/i18n/fill.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCheck } from '#web/kit/icons.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import type { QuestionDraft } from '#web/sources/source.ts'
import { storedAttachment } from './attachment.ts'
import styles from './choices.module.css'
import { addTo, attachmentsIn, newId, useDrafts } from './drafts.ts'
import { kindLabel } from '#web/files/kindLabel.ts'
import { thumbnailOf } from './thumbnails.ts'

/** Files that the person has used before, to go with this question as well. */
export function UsedFiles({ draft: { conversation, bounds } }: { draft: QuestionDraft }) {
  const t = useTranslate()
  const [search, setSearch] = useState('')
  const wanted = useDeferredValue(search.trim())
  const attached = useDrafts(all => all[conversation]) ?? []
  const { data, error, refetch } = useQuery({
    queryKey: ['own files', 'attachable', wanted],
    queryFn: ({ signal }) => call(listFiles, { query: wanted === '' ? {} : { search: wanted } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { quiet: true },
  })
  const files = (data?.files ?? []).filter(({ is_attachable, gone }) => is_attachable && gone === null)
  const isFull = attached.length >= bounds.max_attachments
  return (
    <div className={styles.used}>
      <TextInput
        aria-label={t('attachments.searchFiles')}
        placeholder={t('attachments.searchFiles')}
        value={search}
        data-autofocus
        onChange={event => setSearch(event.currentTarget.value)}
      />
      {error !== null && <NotLoaded error={error} onRetry={refetch} />}
      {data === undefined && error === null && <p role="status">{t('kit.loading')}</p>}
      {data !== undefined && files.length === 0 && (
        <p className={styles.none} role="status">
          {wanted === '' ? t('attachments.noneUsed') : t('attachments.noneFound', { search: wanted })}
        </p>
      )}
      <ul className={styles.files} aria-label={t('attachments.usedFiles')}>
        {files.map(file => {
          const isAttached = attached.some(({ file_id }) => file_id === file.id)
          return (
            <li key={file.id}>
              <button
                type="button"
                className={styles.file}
                aria-pressed={isAttached}
                disabled={isAttached || isFull}
                data-testid="used-file"
                onClick={() => attachUsed(conversation, file)}
              >
                <UsedFile file={file} />
                {isAttached && <IconCheck size={16} aria-hidden className={styles.check} />}
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function attachUsed(conversation: string, file: OwnFile): void {
  if (attachmentsIn(conversation).every(({ file_id }) => file_id !== file.id))
    addTo(conversation, [storedAttachment(newId(), file)])
}

function UsedFile({ file }: { file: OwnFile }) {
  const language = useLanguage()
  const { name, size, upload_time, kind, has_thumbnail } = file
  const address = has_thumbnail || kind === 'picture' ? thumbnailOf(storedAttachment('', file)) : null
  return (
    <>
      <span className={styles.icon} aria-hidden>
        {address === null ? kindLabel(file) : <img src={address} alt="" width={34} height={34} loading="lazy" />}
      </span>
      <span className={styles.facts}>
        <bdi>{name}</bdi>
        <small>
          {formatBytes(size, language)} · {formatDateTime(new Date(upload_time), language)}
        </small>
      </span>
    </>
  )
}
