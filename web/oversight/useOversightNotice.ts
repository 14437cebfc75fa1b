import { useEffect, useRef } from 'react'
import { noticeOversight } from '#contract/oversight.ts'
import { call } from '#web/foundation/call.ts'
import { formatDateTime } from '#web/foundation/times.ts'
import { showToast } from '#web/foundation/toasts.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { useOwnOversight } from './ownOversight.ts'

/** Says once that somebody has read one's conversation. */
export function useOversightNotice(): void {
  const t = useTranslate()
  const language = useLanguage()
  const own = useOwnOversight()
  const shown = useRef(0)
  const latest = own !== undefined && own.unnoticed > 0 ? own.rows[0] : undefined
  useEffect(() => {
    if (latest === undefined || shown.current === latest.id) return
    shown.current = latest.id
    const title = latest.title ?? t('oversight.untitled')
    const time = formatDateTime(new Date(latest.time), language)
    showToast({
      tone: 'notice',
      title: t('oversight.toast', { name: latest.viewer.name }),
      text: t('oversight.toast.text', { title, time }),
    })
    // It is shown again at the next start where this fails.
    void call(noticeOversight, {}).catch(() => undefined)
  }, [latest, language, t])
}
