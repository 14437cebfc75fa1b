import { Fragment, memo, type UIEvent, useEffect, useMemo, useRef } from 'react'
import { formatDate, formatTimeOfDay, twoDigits } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import styles from './logView.module.css'
import type { FollowedLog, ShownLine } from './useFollowedLog.ts'

/** Pixels from the end beyond which the reader has left the newest lines. */
const AWAY = 24

/** The state and actions of the view. */
type LogActions = {
  /** Whether the newest lines are kept in view. */
  isFollowing: boolean
  unfollow(): void
  /** The request whose lines are highlighted. */
  lit: string | null
  light(request: string | null): void
}

type LogViewProps = {
  log: { data: FollowedLog | undefined; error: Error | null; refetch(): unknown }
  actions: LogActions
}

/**
 * The lines of a log, the newest at the bottom. The box is laid out upwards, so that the browser keeps its end in view.
 */
export function LogView({ log: { data, error, refetch }, actions }: LogViewProps) {
  const t = useTranslate()
  const { isFollowing, unfollow, lit, light } = actions
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isFollowing && box.current !== null) box.current.scrollTop = 0
  }, [isFollowing])
  const leaveEnd = ({ currentTarget }: UIEvent<HTMLElement>) => {
    if (isFollowing && currentTarget.scrollTop < -AWAY) unfollow()
  }
  if (data === undefined)
    return error !== null ? (
      <NotLoaded title={t('logs.failed')} error={error} onRetry={refetch} />
    ) : (
      <div className={styles.box} aria-busy />
    )
  return (
    <div
      ref={box}
      className={styles.box}
      onScroll={leaveEnd}
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-label={t('logs.log')}
    >
      <div className={styles.lines}>
        {data.searched_bytes !== null && (
          <p className={styles.note}>{t('logs.searched', { size_bytes: data.searched_bytes })}</p>
        )}
        {data.hasEarlier && data.lines.length > 0 && <p className={styles.note}>{t('logs.earlier')}</p>}
        {data.lines.length === 0 && <p className={styles.note}>{t('logs.empty')}</p>}
        <Blocks lines={data.lines} lit={lit} light={light} />
      </div>
    </div>
  )
}

/** Lines per block. A block whose lines stay the same does not render again when others come. */
const BLOCK = 100

type BlockProps = {
  lines: readonly ShownLine[]
  /** The time of the line before, to mark the beginning of a day. */
  before: string | null
  /** The highlighted request, if one of the lines belongs to it. */
  lit: string | null
  light(request: string | null): void
}

function Blocks({ lines, lit, light }: Pick<BlockProps, 'lines' | 'lit' | 'light'>) {
  const blocks = useMemo(() => blocksOf(lines), [lines])
  return blocks.map((block, at) => (
    <Block
      key={numberOf(block[0])}
      lines={block}
      before={blocks[at - 1]?.at(-1)?.time ?? null}
      lit={lit !== null && block.some(({ request }) => request === lit) ? lit : null}
      light={light}
    />
  ))
}

type Lines = [ShownLine, ...ShownLine[]]

/** Blocks by the keys of the lines, so that added and removed lines leave the others in their blocks. */
function blocksOf(lines: readonly ShownLine[]): Lines[] {
  const blocks: Lines[] = []
  for (const line of lines) {
    const last = blocks.at(-1)
    if (last !== undefined && numberOf(last[0]) === numberOf(line)) last.push(line)
    else blocks.push([line])
  }
  return blocks
}

const numberOf = ({ key }: ShownLine): number => Math.floor(key / BLOCK)

const Block = memo(function Block({ lines, before, lit, light }: BlockProps) {
  const t = useTranslate()
  const language = useLanguage()
  return (
    <div className={styles.block}>
      {lines.map((line, at) => (
        <Fragment key={line.key}>
          {line.isAfterGap && <p className={styles.note}>{t('logs.gap')}</p>}
          {isNewDay(line.time, at === 0 ? before : (lines[at - 1]?.time ?? null)) && (
            <p className={styles.note}>{formatDate(new Date(line.time ?? 0), language)}</p>
          )}
          <Line line={line} isLit={lit !== null && line.request === lit} light={light} />
        </Fragment>
      ))}
    </div>
  )
}, isSame)

/** Blocks with the same first and last line have the same lines. */
function isSame(one: BlockProps, other: BlockProps): boolean {
  const ends = ({ lines }: BlockProps) => `${lines[0]?.key} ${lines.at(-1)?.key}`
  return ends(one) === ends(other) && one.before === other.before && one.lit === other.lit && one.light === other.light
}

function isNewDay(time: string | null, before: string | null): boolean {
  return time !== null && (before === null || new Date(time).toDateString() !== new Date(before).toDateString())
}

type LineProps = { line: ShownLine; isLit: boolean; light(request: string | null): void }

const LEVELS: Record<string, { word: string; className?: string }> = {
  trace: { word: 'TRACE' },
  debug: { word: 'DEBUG' },
  info: { word: 'INFO' },
  warn: { word: 'WARNING', className: styles.warning },
  error: { word: 'ERROR', className: styles.error },
  fatal: { word: 'FATAL', className: styles.error },
}

const Line = memo(function Line({ line, isLit, light }: LineProps) {
  const t = useTranslate()
  const { time, level, text, rest, request, is_cut } = line
  const said = (
    <span className={styles.text} dir="auto">
      {text}
      {rest !== '' && <span className={styles.rest}>{text === '' ? rest : ` ${rest}`}</span>}
      {is_cut && <span className={styles.rest}> {t('logs.cut')}</span>}
    </span>
  )
  if (time === null && level === null && request === null) return <div className={styles.plain}>{said}</div>
  const { word, className } = LEVELS[level ?? ''] ?? { word: '' }
  return (
    <div className={styles.line} data-lit={isLit || undefined} data-testid="log-line">
      <time className={styles.time} dateTime={time ?? undefined} title={time ?? undefined}>
        {time !== null && timeWithMilliseconds(new Date(time))}
      </time>
      <span className={styles.level}>
        <span className={className}>{word}</span>
      </span>
      {said}
      {request !== null && (
        <button
          type="button"
          className={styles.request}
          aria-pressed={isLit}
          aria-label={t('logs.request.light', { id: request })}
          onClick={() => light(isLit ? null : request)}
        >
          {request}
        </button>
      )}
    </div>
  )
})

/** 13:12:00.411, on this device’s clock. */
export function timeWithMilliseconds(time: Date): string {
  return `${formatTimeOfDay(time)}:${twoDigits(time.getSeconds())}.${String(time.getMilliseconds()).padStart(3, '0')}`
}
