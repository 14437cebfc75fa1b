import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ConversationHistory } from '#contract/conversations.ts'
import { askToKeep } from '#contract/keeping.ts'
import { call } from '#web/foundation/call.ts'
import { fetchModule, reportFailure } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { daysBetween, formatDate, useNow } from '#web/foundation/times.ts'
import { toast } from '#web/foundation/toasts.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { IconDownload } from '#web/kit/icons.ts'
import { Note } from '#web/kit/Note.tsx'
import { historyQuery, notifyTabs, refreshList } from '../useConversations.ts'
import styles from './keeping.module.css'

type Ending = Pick<ConversationHistory, 'ends' | 'ends_by' | 'keep'>

/** Says in a conversation when it is gone for its age, whose number of days that is, and how it is kept. */
export function EndingNote({ id, ending }: { id: string; ending: Ending }) {
  const t = useTranslate()
  const { ends, ends_by, keep } = ending
  return (
    <div className={styles.note} data-testid="ending-note">
      {ends === undefined ? (
        <Note title={t('ending.asked')} actions={<Download id={id} />}>
          {t('ending.askedText')}
        </Note>
      ) : (
        <EndsSoon id={id} time={new Date(ends)} why={whyText({ ends_by, keep }, t)} mayAsk={keep === undefined} />
      )}
    </div>
  )
}

/** "Your plan “Guests” keeps conversations for 90 days." */
function whyText({ ends_by, keep }: Pick<Ending, 'ends_by' | 'keep'>, t: Translate): string {
  if (keep === 'declined') return t('ending.declined')
  if (ends_by === undefined) return ''
  const { plan, days } = ends_by
  return plan === null ? t('ending.setting', { days }) : t('ending.plan', { plan, days })
}

type EndsSoonProps = { id: string; time: Date; why: string; mayAsk: boolean }

function EndsSoon({ id, time, why, mayAsk }: EndsSoonProps) {
  const t = useTranslate()
  const language = useLanguage()
  const days = Math.max(0, daysBetween(useNow(60_000), time))
  return (
    <Note
      title={t('ending.title', { date: formatDate(time, language) })}
      actions={
        <>
          <Download id={id} />
          {mayAsk && <AskToKeep id={id} />}
        </>
      }
    >
      {why !== '' && <p>{why}</p>}
      <p>{t('ending.text', { days })}</p>
    </Note>
  )
}

function AskToKeep({ id }: { id: string }) {
  const t = useTranslate()
  const [pending, setPending] = useState(false)
  const ask = async () => {
    setPending(true)
    try {
      await call(askToKeep, { params: { id } })
      toast.success(t('ending.told.asked'))
      notifyTabs({ conversation_id: id })
    } catch (cause) {
      reportFailure(cause)
    }
    void refreshList(queryClient)
    await queryClient.invalidateQueries(historyQuery(id))
    setPending(false)
  }
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      loading={pending}
      data-testid="ask-to-keep"
      onClick={() => void ask()}
    >
      {t('ending.keep')}
    </Button>
  )
}

function Download({ id }: { id: string }) {
  const t = useTranslate()
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<IconDownload size={14} aria-hidden />}
      onClick={() => download(id)}
    >
      {t('ending.download')}
    </Button>
  )
}

function download(id: string): void {
  fetchModule(() => import('#web/transfer/markdownExport.ts'))
    .then(({ exportConversation }) => exportConversation(id, 'markdown'))
    .catch(reportFailure)
}
