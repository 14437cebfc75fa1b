import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerKeepRequest, type KeepRequest } from '#contract/keeping.ts'
import { keepRequestsQuery } from '#web/admin/shell/openRequests.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './keepRequests.module.css'

/** People who want a conversation to stay that would go for its age. Nothing while nobody does. */
export function KeepRequests() {
  const t = useTranslate()
  const { data } = useQuery(keepRequestsQuery)
  if (data === undefined || data.length === 0) return null
  return (
    <section className={styles.requests} aria-label={t('conv.keep.title')}>
      {data.map(request => (
        <Request key={request.conversation_id} request={request} />
      ))}
    </section>
  )
}

function Request({ request }: { request: KeepRequest }) {
  const t = useTranslate()
  const momentText = useMomentText()
  const { title, owner, used, ends_by } = request
  const { pending, answer } = useAnswer(request)
  const { plan, days } = ends_by
  return (
    <article className={styles.request} data-testid="keep-request">
      <div>
        <p>
          <b>
            {t('conv.keep.asks', {
              name: owner?.nickname ?? t('conv.nobodys'),
              title: title || t('conv.untitled'),
            })}
          </b>
        </p>
        <p className={styles.why}>
          <span>{t('conv.keep.used', { time: momentText(used) })}</span>
          <span>{plan === null ? t('conv.keep.setting', { days }) : t('conv.keep.plan', { plan, days })}</span>
        </p>
      </div>
      <div className={styles.actions}>
        <Button size="xs" data-testid="keep" loading={pending} onClick={() => void answer(true)}>
          {t('conv.keep.yes')}
        </Button>
        <Button size="xs" variant="subtle" color="gray" data-testid="keep-not" onClick={() => void answer(false)}>
          {t('conv.keep.no')}
        </Button>
      </div>
    </article>
  )
}

function useAnswer({ conversation_id: id }: KeepRequest) {
  const t = useTranslate()
  const client = useQueryClient()
  const [pending, setPending] = useState(false)
  const answer = async (keep: boolean) => {
    if (pending) return
    setPending(true)
    try {
      await call(answerKeepRequest, { params: { id }, body: { keep } })
      toast.success(t(keep ? 'conv.keep.done' : 'conv.keep.notDone'))
    } catch (cause) {
      reportFailure(cause)
    }
    await client.invalidateQueries(keepRequestsQuery)
    setPending(false)
  }
  return { pending, answer }
}
