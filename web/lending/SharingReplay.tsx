import { useQuery } from '@tanstack/react-query'
import type { BodyOf } from '#contract/call.ts'
import { type Replay, REPLAY_DAYS, replaySharing } from '#contract/lending.ts'
import { call } from '#web/foundation/call.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import styles from './lending.module.css'
import { ReplayResult } from './ReplayResult.tsx'
import { useSettled } from './useSettled.ts'

export type OtherRules = BodyOf<typeof replaySharing>

type SharingReplayProps = {
  upstream_id: number
  /** What is different in the form; empty while nothing is. */
  rules: OtherRules
}

/** What the real asks of the last month would have met by the rules that are being chosen, before they are saved. */
export function SharingReplay({ upstream_id, rules }: SharingReplayProps) {
  const t = useTranslate()
  return (
    <section className={styles.replay} aria-live="polite" data-testid="sharing-replay">
      <h4>{t('replay.title', { count: REPLAY_DAYS })}</h4>
      {Object.keys(rules).length === 0 ? (
        <p>{t('replay.how', { count: REPLAY_DAYS })}</p>
      ) : (
        <Replayed upstream_id={upstream_id} rules={rules} />
      )}
    </section>
  )
}

function Replayed({ upstream_id, rules }: SharingReplayProps) {
  const t = useTranslate()
  const body = useSettled(rules)
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'upstreams', 'replay', upstream_id, body],
    queryFn: ({ signal }) => call(replaySharing, { params: { id: String(upstream_id) }, body }, { signal }),
    retry: false,
    meta: { quiet: true },
  })
  if (data === undefined)
    return error === null ? <p>{t('replay.counting')}</p> : <NotLoaded error={error} onRetry={refetch} />
  if (data === null) return <p>{t('replay.noWindows')}</p>
  return (
    <>
      <ReplayResult replay={data} />
      <Compared replay={data} />
      <p className={styles.note}>{t('replay.met', { count: data.met })}</p>
      <p className={styles.note}>{t('replay.note')}</p>
    </>
  )
}

const COLUMNS = ['answered', 'borrowed', 'refused'] as const

function Compared({ replay }: { replay: Replay }) {
  const t = useTranslate()
  const number = new Intl.NumberFormat(useLanguage())
  return (
    <table className={styles.compared}>
      <thead>
        <tr>
          <th scope="col">{t('replay.rules')}</th>
          {COLUMNS.map(column => (
            <th key={column} scope="col">
              {t(`replay.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {(['before', 'after'] as const).map(when => (
          <tr key={when}>
            <th scope="row">{t(`replay.${when}`)}</th>
            {COLUMNS.map(column => (
              <td key={column}>{number.format(replay[when][column])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
