import type { ReactNode } from 'react'
import { type Message, textOf } from '#contract/messages.ts'
import { usePreferences } from '#web/foundation/preferences.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconChevronRight } from '#web/kit/icons.ts'
import { actionsOf, type BrowsingAction } from './browsing.ts'
import { CodeBlock } from './markdown/code/CodeBlock.tsx'
import { Markdown, StreamingMarkdown } from './markdown/Markdown.tsx'
import { SafeLink } from './markdown/blocks/SafeLink.tsx'
import type { TextFeed } from './markdown/streaming/textFeed.ts'
import { CopyPrompt } from './Pictures.tsx'
import { PlainFallback } from './PlainText.tsx'
import styles from './step.module.css'
import type { Step } from './steps.ts'
import { canvasChanges, codeOf, otherWords, outputOf, prettyText, promptsOf } from './stepTexts.ts'
import { webMetadata } from './metadata.ts'

/** The content of an expanded step. Only thoughts grow by a feed. */
export function StepBody({ step, feed }: { step: Step; feed: TextFeed | undefined }) {
  switch (step.kind) {
    case 'thoughts':
      return step.messages.map(message => <Thoughts key={message.id} message={message} feed={feed} />)
    case 'code':
      return <CodeRun step={step} />
    case 'browsing':
    case 'files':
      return <BrowsingSteps step={step} />
    case 'plugin':
      return <Exchange step={step} />
    case 'painting':
      return (
        <>
          <Prompts prompts={promptsOf(step)} />
          <ToolOutput step={step} />
        </>
      )
    case 'error':
      return <ToolOutput step={step} />
    case 'canvas':
      return canvasChanges(step).map((text, at) => <Output key={at} text={text} />)
    case 'other':
      return step.messages.map(message => <Output key={message.id} text={otherWords(message)} />)
  }
}

function Thoughts({ message: { content }, feed }: { message: Message; feed: TextFeed | undefined }) {
  const { codeAutoWrap } = usePreferences()
  const text = content?.content_type === 'thoughts' ? content.text : ''
  return (
    <PlainFallback text={() => feed?.text ?? text}>
      <div className={styles.thoughts}>
        {feed === undefined ? (
          <Markdown text={text} wrapCode={codeAutoWrap} />
        ) : (
          <StreamingMarkdown feed={feed} wrapCode={codeAutoWrap} />
        )}
      </div>
    </PlainFallback>
  )
}

function CodeRun({ step }: { step: Step }) {
  const { code, language } = codeOf(step)
  const { text, errors } = outputOf(step)
  return (
    <>
      {code !== '' && <CodeBlock code={code} language={language} caret={null} />}
      {text !== '' && <Output text={text} />}
      {errors !== '' && <Output text={errors} failed />}
    </>
  )
}

/** The request to a plugin, and its response. */
function Exchange({ step }: { step: Step }) {
  const t = useTranslate()
  return step.messages.map(message => {
    const { text, language } = prettyText(textOf(message))
    if (text === '') return null
    return (
      <figure key={message.id} className={styles.exchange}>
        <figcaption>
          {t(message.role === 'assistant' ? 'message.request' : 'message.response')}
          <Status message={message} />
        </figcaption>
        <CodeBlock code={text} language={language} caret={null} />
      </figure>
    )
  })
}

function Status({ message }: { message: Message }) {
  const status = webMetadata(message)?.invoked_plugin?.http_response_status
  return status == null ? null : <span className={status >= 400 ? styles.status : undefined}>{status}</span>
}

function ToolOutput({ step }: { step: Step }) {
  return step.messages
    .filter(message => message.role !== 'assistant' && textOf(message) !== '')
    .map(message => (
      <Output key={message.id} text={textOf(message)} failed={message.content?.content_type === 'system_error'} />
    ))
}

/** The searches and pages of the model, in order. */
function BrowsingSteps({ step }: { step: Step }) {
  return (
    <ol className={styles.actions}>
      {actionsOf(step.messages).map((action, at) => (
        <li key={at}>
          <Action action={action} onWeb={step.kind === 'browsing'} />
        </li>
      ))}
    </ol>
  )
}

function Action({ action, onWeb }: { action: BrowsingAction; onWeb: boolean }) {
  const t = useTranslate()
  switch (action.kind) {
    case 'search':
      return onWeb ? (
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

/** The prompts of generated pictures, each with a copy button. */
function Prompts({ prompts }: { prompts: readonly string[] }) {
  return (
    <ul className={styles.prompts}>
      {prompts.map((prompt, at) => (
        <li key={at}>
          <span dir="auto">{prompt}</span>
          <CopyPrompt prompt={prompt} />
        </li>
      ))}
    </ul>
  )
}

/** The output of a tool, verbatim. */
function Output({ text, failed = false }: { text: string; failed?: boolean }) {
  const t = useTranslate()
  return (
    <pre
      className={failed ? styles.errors : styles.output}
      tabIndex={0}
      role="group"
      aria-label={t(failed ? 'message.errorOutput' : 'message.output')}
    >
      {text}
    </pre>
  )
}
