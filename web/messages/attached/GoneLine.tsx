import { useMemo } from 'react'
import { Button } from '@mantine/core'
import type { Message } from '#contract/messages.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconInfoCircle } from '#web/kit/icons.ts'
import { keptWith } from '../metadata.ts'
import styles from './attached.module.css'
import { useFileFacts } from './fileFacts.ts'

/** What is gone is attached once more as anything is: by the button of the composer. */
const attachAgain = () => document.querySelector<HTMLElement>('[data-testid=attach]')?.click()

/** Says above the composer how many files of the thread the model no longer sees. */
export function GoneLine({ messages }: { messages: readonly Message[] }) {
  const t = useTranslate()
  const kept = useMemo(() => messages.flatMap(keptWith), [messages])
  const facts = useFileFacts(kept)
  const gone = new Set(kept.map(({ id }) => id).filter(id => (facts?.get(id)?.gone ?? null) !== null))
  if (gone.size === 0) return null
  return (
    <p className={styles.line} role="status" data-testid="gone-line">
      <IconInfoCircle size={16} stroke={1.6} aria-hidden />
      <span>{t('attachments.goneLine', { count: gone.size })}</span>
      <Button
        className={styles.again}
        size="compact-xs"
        variant="subtle"
        onClick={attachAgain}
        data-testid="attach-again"
      >
        {t('attachments.attachAgain')}
      </Button>
    </p>
  )
}
