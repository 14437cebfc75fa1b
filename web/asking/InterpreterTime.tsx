import { useQuery } from '@tanstack/react-query'
import { readInterpreter } from '#contract/conversations.ts'
import { call } from '#web/foundation/call.ts'
import { useNow } from '#web/foundation/times.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconTerminal2 } from '#web/kit/icons.ts'
import { Tag } from '#web/kit/Tag.tsx'
import styles from './interpreterTime.module.css'

const MINUTE = 60_000
/** The time is counted down here; the upstream is asked for it this often, since each run renews it. */
const ASKED_EVERY = 2 * MINUTE
/** From here on it is worth hurrying. */
const LITTLE = 5 * MINUTE

type InterpreterTimeProps = {
  conversation_id: string
  /** The last message of a run: after the next one it is asked for at once. */
  run: string
}

/** How long the code interpreter keeps its files; nothing once it has ended, or when nobody can say. */
export function InterpreterTime({ conversation_id, run }: InterpreterTimeProps) {
  const t = useTranslate()
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['interpreter', conversation_id, run],
    queryFn: ({ signal }) => call(readInterpreter, { params: { id: conversation_id } }, { signal }),
    // Not while the page is hidden, nor once it has ended.
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
