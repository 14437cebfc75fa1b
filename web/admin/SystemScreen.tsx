import { useQuery } from '@tanstack/react-query'
import { readCommonStatus } from '#contract/status.ts'
import type { CommonStatus } from '#contract/status.ts'
import { call } from '#web/foundation/call.ts'
import { usePortal } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { BreathingDot } from '#web/kit/BreathingDot.tsx'
import { Ruler } from '#web/kit/Ruler.tsx'
import { Tag } from '#web/kit/Tag.tsx'
import styles from './admin.module.css'
import { ConnectCard } from './ConnectCard.tsx'
import { PageHead } from './PageHead.tsx'
import { PortalCard } from './PortalCard.tsx'

const EVERY_SECONDS = 5
/** The specification, section 9: 50 messages per 3 hours. */
const GPT4_IN_3_HOURS = 50

/** How the portal is doing now; the rest of this page follows with the statistics. */
export function SystemScreen() {
  const t = useTranslate()
  const portal = usePortal()
  const { data: status } = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => call(readCommonStatus, {}, { signal }),
    refetchInterval: EVERY_SECONDS * 1000,
  })
  return (
    <>
      <PageHead title={t('admin.system')} context={t('system.context', { count: EVERY_SECONDS })} />
      <div className={styles.cards}>
        {portal?.demonstration === true && <ConnectCard />}
        {status !== undefined && <ActiveCard status={status} />}
        {status !== undefined && <SharingCard status={status} />}
        {portal !== undefined && <PortalCard portal={portal} />}
      </div>
    </>
  )
}

function ActiveCard({ status }: { status: CommonStatus }) {
  const t = useTranslate()
  return (
    <section className={styles.card}>
      <h2>{t('system.active')}</h2>
      <dl className={styles.figures}>
        <div><dt>{t('system.active.5m')}</dt><dd>{status.active_user_in_5m}</dd></div>
        <div><dt>{t('system.active.1h')}</dt><dd>{status.active_user_in_1h}</dd></div>
        <div><dt>{t('system.active.1d')}</dt><dd>{status.active_user_in_1d}</dd></div>
      </dl>
    </section>
  )
}

function SharingCard({ status: { is_chatbot_busy, chatbot_waiting_count, gpt4_count_in_3_hours } }: { status: CommonStatus }) {
  const t = useTranslate()
  const counted = t('system.gpt4', { used: gpt4_count_in_3_hours, allowed: GPT4_IN_3_HOURS })
  return (
    <section className={styles.card}>
      <h2>
        {t('system.sharing')}
        {is_chatbot_busy ? <Tag tone="green"><BreathingDot size={7} />{t('system.busy')}</Tag> : <Tag>{t('system.free')}</Tag>}
      </h2>
      <div className={styles.meter}>
        <Ruler used={gpt4_count_in_3_hours} allowed={GPT4_IN_3_HOURS} text={counted} />
        <p>{counted}</p>
        <p>{t('system.waiting', { count: chatbot_waiting_count })}</p>
      </div>
    </section>
  )
}
