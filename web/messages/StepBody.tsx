import { type Message, textOf } from '#contract/messages.ts'
import { usePreferences } from '#web/foundation/preferences.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { BrowsingSteps } from './BrowsingSteps.tsx'
import { CodeBlock } from './markdown/code/CodeBlock.tsx'
import { Markdown, StreamingMarkdown } from './markdown/Markdown.tsx'
import type { TextFeed } from './markdown/streaming/textFeed.ts'
import { Output } from './Output.tsx'
import { PlainFallback } from './PlainFallback.tsx'
import { Prompts } from './Prompts.tsx'
import styles from './step.module.css'
import type { Step } from './steps.ts'
import { codeOf, outputOf, prettyText, promptsOf } from './toolTexts.ts'

/** The expanded content of a step. Only thoughts grow by a feed. */
export function StepBody({ step, feed }: { step: Step; feed: TextFeed | undefined }) {
  switch (step.kind) {
    case 'thoughts':
      return step.messages.map(message => <Thoughts key={message.id} message={message} feed={feed} />)
    case 'code':
      return <Run step={step} />
    case 'browsing':
    case 'files':
      return <BrowsingSteps step={step} />
    case 'plugin':
      return <Exchange step={step} />
    case 'painting':
      return (
        <>
          <Prompts prompts={promptsOf(step)} />
          <Answers step={step} />
        </>
      )
    case 'error':
      return <Answers step={step} />
    case 'raw':
      return step.messages.map(message => <Raw key={message.id} message={message} />)
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

function Run({ step }: { step: Step }) {
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

/** What was asked of a plugin, and what it answered. */
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

function Status({ message: { metadata } }: { message: Message }) {
  const status = metadata?.source === 'openai_web' ? metadata.invoked_plugin?.http_response_status : null
  return status == null ? null : <span className={status >= 400 ? styles.status : undefined}>{status}</span>
}

function Answers({ step }: { step: Step }) {
  return step.messages
    .filter(message => message.role !== 'assistant' && textOf(message) !== '')
    .map(message => (
      <Output key={message.id} text={textOf(message)} failed={message.content?.content_type === 'system_error'} />
    ))
}

function Raw({ message: { metadata } }: { message: Message }) {
  const raw = metadata?.fallback_content
  return typeof raw === 'string' ? (
    <Output text={raw} />
  ) : (
    <CodeBlock code={JSON.stringify(raw, null, 2)} language="json" caret={null} />
  )
}
