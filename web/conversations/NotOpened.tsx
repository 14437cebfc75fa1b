import type { ReactNode } from 'react'
import { Button } from '@mantine/core'
import { RefusedCall } from '../foundation/call.ts'
import { failureText } from '../foundation/failures.ts'
import { useTranslate, useTranslateMessage } from '../i18n/useTranslate.ts'
import styles from './NotOpened.module.css'
import { Illustration } from '../kit/Illustration.tsx'

/**
 * Whether there is no such conversation: deleted, or somebody else's, gone from its web account, or the address names
 * none. Any other failure says nothing about the conversation.
 */
export function isGone(error: Error | null): boolean {
  if (!(error instanceof RefusedCall)) return false
  const { key, detail } = error
  const isOfId =
    key === 'requestValidationError' && detail.some(({ loc: [part, name] }) => part === 'path' && name === 'id')
  return key === 'conversationNotFound' || key === 'conversationGone' || isOfId
}

type NotOpenedProps = {
  error: Error
  onRetry(): void
  /** Where to go instead, when it is gone. */
  children: ReactNode
}

/** In place of a conversation that cannot be opened: why, and what can be done. */
export function NotOpened({ error, onRetry, children }: NotOpenedProps) {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  if (!isGone(error))
    return (
      <EmptyState title={t('thread.notLoaded')}>
        <p role="alert">{failureText(error)}</p>
        <Button variant="default" onClick={onRetry}>
          {t('kit.retry')}
        </Button>
      </EmptyState>
    )
  const isGoneAtAccount = error instanceof RefusedCall && error.key === 'conversationGone'
  return (
    <EmptyState title={t('thread.notFound')}>
      <p>{isGoneAtAccount ? translateMessage(error.message) : t('thread.notFoundText')}</p>
      {children}
    </EmptyState>
  )
}

/** In place of a conversation that cannot be shown: why, and what can be done instead. */
function EmptyState({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.empty}>
      <Illustration lit={false} />
      <h1>{title}</h1>
      {children}
    </div>
  )
}
