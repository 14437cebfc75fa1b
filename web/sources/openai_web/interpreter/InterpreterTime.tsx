import { useQuery } from '@tanstack/react-query'
import { readInterpreter } from '#contract/conversations.ts'
import { call } from '#web/foundation/call.ts'
import { useNow } from '#web/foundation/times.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconTerminal2 } from '#web/kit/icons.ts'
import { Tag } from '#web/kit/Tag.tsx'
import styles from './interpreterTime.module.css'

const MINUTE = 60_000
/**
 * Milliseconds between requests for the remaining time, which each code run renews. In between it is counted down here.
 */
const ASKED_EVERY = 2 * MINUTE
/** Milliseconds from which on the time is highlighted. */
const LITTLE = 5 * MINUTE

type InterpreterTimeProps = {
  conversation_id: string
  /** The last message of the last code run. Another value requests the time at once. */
  run: string
}

/** How long the code interpreter keeps its files. Renders nothing when that is over or unknown. */
export function InterpreterTime({ conversation_id, run }: InterpreterTimeProps) {
  const t = useTranslate()
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['interpreter', conversation_id, run],
    queryFn: ({ signal }) => call(readInterpreter, { params: { id: conversation_id } }, { signal }),
    // A hidden page does not poll, and nothing is polled after the end.
    refetchInterval: ({ state }) => (state.data?.kernel_started === true ? ASKED_EVERY : false),
    staleTime: MINUTE,
    retry: false,
    meta: { quiet: true },
  })
  const now = useNow().getTime()
  if (data === undefined || !data.kernel_started) return null
  const left = data.time_remaining_ms - Math.max(0, now - dataUpdatedAt)
  if (left <= 0) return null
  const count = Math.max(1, Math.round(left / MINUTE))
  return (
    <span className={styles.time} data-tip={t('message.interpreterHelp')} data-testid="interpreter-time">
      <Tag tone={left < LITTLE ? 'amber' : 'plain'}>
        <IconTerminal2 size={14} stroke={1.6} aria-hidden />
        <span className={styles.long}>{t('message.interpreterLeft', { count })}</span>
        <span className={styles.short} aria-hidden>
          {t('message.interpreterLeftShort', { count })}
        </span>
      </Tag>
    </span>
  )
}
