import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { downloadLog, type LogFiles, listLogFiles, type ProcessLog, readLogLines } from '#contract/logFiles.ts'
import { PageHead } from '#web/admin/shell/Page.tsx'
import type { Filter } from '#web/admin/table/FilterBar.tsx'
import { addressOf, call, RefusedCall } from '#web/foundation/call.ts'
import { formatDateTime } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { IconDownload } from '#web/kit/icons.ts'
import { Note } from '#web/kit/Note.tsx'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import styles from './logs.module.css'
import { LogFilters, type LogAddress, USUAL_LINES, useLogAddress, wordsIn } from './LogFilters.tsx'
import { LogState } from './LogState.tsx'
import { LogView } from './LogView.tsx'
import { useFollowedLog } from './useFollowedLog.ts'

/** The levels that can be chosen, the least severe first. */
const LEVELS = ['debug', 'info', 'warn', 'error'] as const

/** The portal's own log, the newest lines at the bottom. */
export function ServerLog({ tabs }: { tabs: ReactNode }) {
  const t = useTranslate()
  // Fetched once: whichever process answers later, the page stays with the process that it shows.
  const files = useQuery({
    queryKey: ['admin', listLogFiles.path],
    queryFn: ({ signal }) => call(listLogFiles, {}, { signal }),
    staleTime: Infinity,
    gcTime: 0,
    meta: { quiet: 'whileEmpty' },
  })
  return (
    <div className={styles.screen}>
      {files.data === undefined ? (
        <>
          <PageHead title={t('admin.log')} />
          {tabs}
          {files.error !== null && <NotLoaded error={files.error} onRetry={files.refetch} />}
        </>
      ) : (
        <ProcessLines files={files.data} tabs={tabs} onOther={() => void files.refetch()} />
      )}
    </div>
  )
}

type ProcessLinesProps = { files: LogFiles; tabs: ReactNode; onOther(): void }

function ProcessLines({ files, tabs, onOther }: ProcessLinesProps) {
  const t = useTranslate()
  const address = useLogAddress()
  const [isFollowing, setFollowing] = useState(true)
  const name = address.query.process ?? files.processes.find(({ is_own }) => is_own)?.name ?? null
  const log = useProcessLog(address, name, isFollowing)
  const { change } = address
  const light = useCallback(
    (request: string | null) => change({ lit: request ?? undefined, only: undefined }),
    [change],
  )
  const isGone = log.error instanceof RefusedCall && log.error.key === 'resourceNotFound'
  const shown = log.data?.process ?? null
  return (
    <>
      <PageHead title={t('admin.log')} context={<ProcessFiles process={shown} isKnown={log.data !== undefined} />} />
      {tabs}
      <LogFilters
        address={address}
        filters={useServerLogFilters(files)}
        isFollowing={isFollowing}
        onFollow={setFollowing}
      >
        {name !== null && <DownloadLink name={name} />}
      </LogFilters>
      {isGone ? (
        <Note
          tone="amber"
          title={t('logs.gone.file', { machine: files.machine })}
          actions={
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                address.change({ process: undefined })
                onOther()
              }}
            >
              {t('logs.gone.own')}
            </Button>
          }
        />
      ) : (
        <div className={styles.well}>
          <LogView
            log={log}
            actions={{
              isFollowing,
              unfollow: () => setFollowing(false),
              lit: address.query.lit ?? null,
              light,
            }}
          />
          <LogState log={log} isFollowing={isFollowing} address={address} />
        </div>
      )}
    </>
  )
}

function useProcessLog({ query }: LogAddress, name: string | null, isFollowing: boolean) {
  const most = Number(query.lines ?? USUAL_LINES)
  const question = {
    name,
    level: query.level ?? null,
    exclude_keywords: wordsIn(query.without),
    request: query.only ?? null,
    max_lines: most,
  }
  return useFollowedLog({
    question,
    most,
    isFollowing,
    read: (after, signal) => call(readLogLines, { body: { ...question, after } }, { signal }),
  })
}

function useServerLogFilters({ processes, machine }: LogFiles): Filter[] {
  const t = useTranslate()
  const nameOf = useProcessName(machine)
  return [
    {
      name: 'process',
      label: t('logs.process'),
      options: processes.map(process => ({ value: process.name, label: nameOf(process) })),
    },
    {
      name: 'level',
      label: t('logs.level'),
      options: LEVELS.map(level => ({ value: level, label: t(`logs.level.${level}`) })),
    },
  ]
}

/** The name of a process, with its machine when that is not the one that answers. */
function useProcessName(here: string): (process: ProcessLog) => string {
  const t = useTranslate()
  const language = useLanguage()
  return ({ start_time, process_id, machine }) => {
    const values = { start: formatDateTime(new Date(start_time), language), id: String(process_id) }
    return machine === here ? t('logs.process.name', values) : t('logs.process.nameThere', { ...values, machine })
  }
}

/** Which process on which machine wrote what is shown. */
function ProcessFiles({ process, isKnown }: { process: ProcessLog | null; isKnown: boolean }) {
  const t = useTranslate()
  const language = useLanguage()
  if (process === null) return isKnown ? t('logs.noFiles') : '\u00a0'
  const { machine, process_id, start_time, files, bytes } = process
  return t('logs.files', {
    machine,
    id: String(process_id),
    start: formatDateTime(new Date(start_time), language),
    count: files,
    size_bytes: bytes,
  })
}

function DownloadLink({ name }: { name: string }) {
  const t = useTranslate()
  return (
    <ActionIcon
      component="a"
      href={addressOf(downloadLog, { params: { name } })}
      download
      aria-label={t('logs.download')}
      data-tip={t('logs.download')}
    >
      <IconDownload size={16} aria-hidden />
    </ActionIcon>
  )
}
