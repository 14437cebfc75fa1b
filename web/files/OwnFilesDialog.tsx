import { useDeferredValue, useRef, useState } from 'react'
import { Button, FocusTrap, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { downloadLocally, readContent } from '#contract/files.ts'
import { deleteFile, listFiles, type OwnFile, readThumbnail } from '#contract/ownFiles.ts'
import { addressOf, call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { formatDateTime } from '#web/foundation/times.ts'
import { formatBytes } from '#web/i18n/fill.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconPhoto, IconTrash } from '#web/kit/icons.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import styles from './files.module.css'
import { kindLabel } from './kindLabel.ts'

const ownFiles = (search: string) =>
  queryOptions({
    queryKey: ['own files', 'all', search],
    queryFn: ({ signal }) => call(listFiles, { query: search === '' ? {} : { search } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { quiet: true },
  })

/** Fewer are seen at a glance. */
const MIN_SEARCHED = 8

/** Lists one's own files: how much space they take, where each is used, and a button to delete it. */
export function OwnFilesDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const [search, setSearch] = useState('')
  const wanted = useDeferredValue(search.trim())
  const { data, isPending, error, refetch } = useQuery(ownFiles(wanted))
  const isSearched = search !== '' || (data?.total ?? 0) > MIN_SEARCHED
  return (
    <Dialog title={t('userMenu.files')} width={600} onClose={onClose}>
      {isPending && <p role="status">{t('kit.loading')}</p>}
      {error !== null && <NotLoaded error={error} onRetry={refetch} />}
      {data !== undefined && (
        <>
          <Space used_bytes={data.used_bytes} most_bytes={data.most_bytes} />
          {isSearched && <Search search={search} onSearch={setSearch} />}
          {data.files.length === 0 ? (
            <p className={styles.none} role="status">
              {wanted === '' ? t('ownFiles.none') : t('conversations.nothingFound', { words: wanted })}
            </p>
          ) : (
            <FileRows files={data.files} onClose={onClose} />
          )}
          {data.total > data.files.length && (
            <Text size="xs" c="var(--ink-3)" mt="sm">
              {t('ownFiles.latest', { count: data.files.length, total: data.total })}
            </Text>
          )}
          {data.files.length > 0 && (
            <Text size="xs" c="var(--ink-3)" mt="sm">
              {t('ownFiles.note')}
            </Text>
          )}
        </>
      )}
      <FocusTrap.InitialFocus />
    </Dialog>
  )
}

function Search({ search, onSearch }: { search: string; onSearch(search: string): void }) {
  const t = useTranslate()
  return (
    <TextInput
      mb="sm"
      type="search"
      aria-label={t('shortcuts.search')}
      placeholder={t('shortcuts.search')}
      autoComplete="off"
      data-testid="own-files-search"
      value={search}
      onChange={event => onSearch(event.currentTarget.value)}
    />
  )
}

function Space({ used_bytes, most_bytes }: { used_bytes: number; most_bytes: number }) {
  const t = useTranslate()
  const text = t('ownFiles.space', { used_bytes, most_bytes })
  return (
    <div className={styles.space}>
      <span>{text}</span>
      <progress className={styles.bar} aria-label={text} value={used_bytes} max={Math.max(1, most_bytes)} />
    </div>
  )
}

function FileRows({ files, onClose }: { files: readonly OwnFile[]; onClose(): void }) {
  const t = useTranslate()
  const list = useRef<HTMLUListElement>(null)
  const queries = useQueryClient()
  const [asked, setAsked] = useState<string | null>(null)
  const remove = async (id: string) => {
    setAsked(null)
    try {
      await call(deleteFile, { params: { id } })
    } catch (error) {
      reportFailure(error)
    }
    await queries.invalidateQueries({ queryKey: ['own files'] })
    // The pressed button is unmounted with its row.
    list.current?.focus()
  }
  return (
    <ul ref={list} tabIndex={-1} className={styles.ownRows} aria-label={t('userMenu.files')} data-testid="own-files">
      {files.map(file => (
        <li key={file.id} className={styles.row} data-testid="own-file">
          <FileFacts file={file} onClose={onClose} />
          {asked === file.id ? (
            <span className={styles.choice}>
              <Button size="compact-sm" color="red" ref={focus} onClick={() => void remove(file.id)}>
                {t('ownFiles.confirm')}
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => setAsked(null)}>
                {t('kit.cancel')}
              </Button>
            </span>
          ) : (
            <IconButton label={t('ownFiles.delete', { name: file.name })} onClick={() => setAsked(file.id)}>
              <IconTrash size={16} aria-hidden />
            </IconButton>
          )}
        </li>
      ))}
    </ul>
  )
}

/** A ref for the button that replaces the pressed one. */
const focus = (button: HTMLButtonElement | null): void => button?.focus()

function FileFacts({ file, onClose }: { file: OwnFile; onClose(): void }) {
  const t = useTranslate()
  const language = useLanguage()
  const { name, size, upload_time, conversation } = file
  const address = addressIn(file)
  return (
    <>
      <span className={styles.icon} aria-hidden>
        <Likeness file={file} />
      </span>
      <span className={styles.facts}>
        {address === null ? (
          <span className={styles.name}>{name}</span>
        ) : (
          <a className={styles.name} href={address} target="_blank" rel="noopener noreferrer" title={name}>
            {name}
          </a>
        )}
        <small>
          {formatBytes(size, language)} · {formatDateTime(new Date(upload_time), language)}
        </small>
        <small>
          {conversation === null ? (
            t('ownFiles.unused')
          ) : (
            <Link to="/conversation" search={{ id: conversation.id }} onClick={onClose}>
              {conversation.title || t('conversations.untitled')}
            </Link>
          )}
        </small>
      </span>
    </>
  )
}

/** What it looks like, else what kind it is. */
function Likeness({ file }: { file: OwnFile }) {
  const { id, kind, has_thumbnail, content_type } = file
  if (has_thumbnail || kind === 'picture')
    return <img src={addressOf(readThumbnail, { params: { id } })} alt="" width={34} height={34} loading="lazy" />
  return content_type.startsWith('image/') ? <IconPhoto size={16} /> : kindLabel(file)
}

/** The portal's own copy, else what the web service has; null where there is neither. */
function addressIn({ id, is_here, web_file_id }: OwnFile): string | null {
  if (is_here) return addressOf(downloadLocally, { params: { id } })
  return web_file_id === null ? null : addressOf(readContent, { params: { id: web_file_id } })
}
