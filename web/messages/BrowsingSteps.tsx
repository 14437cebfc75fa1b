import type { ReactNode } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconChevronRight } from '#web/kit/icons.ts'
import { actionsOf, type BrowsingAction } from './browsing.ts'
import { SafeLink } from './markdown/blocks/SafeLink.tsx'
import { Output } from './Output.tsx'
import styles from './step.module.css'
import type { Step } from './steps.ts'

/** What the model searched and opened, in order. */
export function BrowsingSteps({ step }: { step: Step }) {
  return (
    <ol className={styles.actions}>
      {actionsOf(step.messages).map((action, at) => (
        <li key={at}>
          <Action action={action} outside={step.kind === 'browsing'} />
        </li>
      ))}
    </ol>
  )
}

function Action({ action, outside }: { action: BrowsingAction; outside: boolean }) {
  const t = useTranslate()
  switch (action.kind) {
    case 'search':
      return outside ? (
        <Labelled label={t('message.actionSearch')}>
          <SafeLink url={`https://www.bing.com/search?q=${encodeURIComponent(action.query)}`}>{action.query}</SafeLink>
        </Labelled>
      ) : (
        <Labelled label={t('message.actionSearch')}>{action.query}</Labelled>
      )
    case 'open':
      return (
        <Labelled label={t('message.actionOpen')}>
          <SafeLink url={action.url ?? ''}>{action.title}</SafeLink>
        </Labelled>
      )
    case 'quote':
      return (
        <>
          <Labelled label={t('message.actionQuote')}>
            <SafeLink url={action.url}>{action.title}</SafeLink>
          </Labelled>
          <blockquote className={styles.quote}>{action.text}</blockquote>
        </>
      )
    case 'read':
      return (
        <details className={styles.detail}>
          <summary>
            <IconChevronRight size={14} stroke={1.6} aria-hidden />
            {t('message.actionRead')}
          </summary>
          <Output text={action.text} />
        </details>
      )
    case 'failed':
      return <span className={styles.actionFailed}>{t('message.actionFailed', { reason: action.text })}</span>
    case 'other':
      return <code className={styles.statement}>{action.text}</code>
    case 'scroll':
      return t('message.actionScroll')
    case 'back':
      return t('message.actionBack')
    case 'quoting':
      return t('message.actionQuoting')
  }
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <span className={styles.label}>{label}</span> {children}
    </>
  )
}
