import { Button } from '@mantine/core'
import { failureText } from '#web/foundation/failures.ts'
import { formatTimeOfDay, useNow } from '#web/foundation/times.ts'
import { useTranslate, useTranslateAround } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconX } from '#web/kit/icons.ts'
import { useCopied } from '#web/kit/useCopied.ts'
import styles from './logs.module.css'
import { timeWithMilliseconds } from './LogView.tsx'
import type { LogAddress } from './LogFilters.tsx'
import type { FollowedLog, ShownLine } from './useFollowedLog.ts'

type LogStateProps = {
  log: { data: FollowedLog | undefined; error: Error | null }
  isFollowing: boolean
  address?: LogAddress
}

/** The line below a log: whether it is followed, and the highlighted request. */
export function LogState({ log: { data: log, error }, isFollowing, address }: LogStateProps) {
  return (
    <div className={styles.state}>
      {log !== undefined && <Following log={log} isFollowing={isFollowing} error={error} />}
      {log !== undefined && address?.query.lit !== undefined && (
        <LitRequest id={address.query.lit} lines={log.lines} address={address} />
      )}
    </div>
  )
}

type FollowingProps = { log: FollowedLog; isFollowing: boolean; error: Error | null }

function Following({ log: { lines, asked }, isFollowing, error }: FollowingProps) {
  const t = useTranslate()
  const now = useNow(5_000).getTime()
  const last = lines.findLast(({ time }) => time !== null)?.time ?? null
  // The clock of the server may be ahead of this device's.
  const ago_seconds = last === null ? null : Math.max(1, Math.round((now - Date.parse(last)) / 1000))
  const text = () => {
    if (!isFollowing) return t('logs.stopped', { time: formatTimeOfDay(new Date(asked)) })
    if (error !== null) return `${t('logs.failed')} ${failureText(error)}`
    return ago_seconds === null ? t('logs.followingOnly') : t('logs.following', { ago_seconds })
  }
  return (
    <span>
      <i className={styles.dot} data-busy={(isFollowing && error === null) || undefined} />
      {text()}
    </span>
  )
}

type LitRequestProps = { id: string; lines: readonly ShownLine[]; address: LogAddress }

function LitRequest({ id, lines, address }: LitRequestProps) {
  const t = useTranslate()
  const { copied, copy } = useCopied()
  const around = useTranslateAround()
  const own = lines.filter(({ request }) => request === id)
  const time = t('logs.seconds', { seconds: secondsOf(own) })
  const [before, name, behind] = around('logs.request.found', 'id', { id, count: own.length, time })
  return (
    <span className={styles.lit} role="status">
      <span>
        {before}
        <b>{name}</b>
        {behind}
      </span>
      {address.query.only === undefined && (
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => address.change({ only: id })}>
          {t('logs.request.only')}
        </Button>
      )}
      <Button size="compact-xs" variant="subtle" color="gray" onClick={() => void copy(own.map(lineText).join('\n'))}>
        {t(copied ? 'logs.request.copied' : 'logs.request.copy')}
      </Button>
      <IconButton
        size={28}
        label={t('logs.request.release')}
        onClick={() => address.change({ lit: undefined, only: undefined })}
      >
        <IconX size={14} aria-hidden />
      </IconButton>
    </span>
  )
}

/** From the first of the lines to the last. */
function secondsOf(lines: readonly ShownLine[]): string {
  const times = lines.flatMap(({ time }) => (time === null ? [] : [Date.parse(time)]))
  const seconds = times.length === 0 ? 0 : (Math.max(...times) - Math.min(...times)) / 1000
  return seconds.toFixed(1)
}

function lineText({ time, level, text, rest, request }: ShownLine): string {
  const at = time === null ? null : timeWithMilliseconds(new Date(time))
  return [at, level?.toUpperCase(), request, text, rest].filter(Boolean).join(' ')
}
