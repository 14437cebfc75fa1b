import type { Message } from '#contract/messages.ts'
import { textOf } from '#contract/messages.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { BrowsingSteps } from './BrowsingSteps.tsx'
import { CodeBlock } from './markdown/CodeBlock.tsx'
import { Output } from './Output.tsx'
import { Prompts } from './Prompts.tsx'
import styles from './step.module.css'
import type { Step } from './steps.ts'
import { codeOf, outputOf, prettyText, promptsOf } from './toolTexts.ts'

/** The expanded content of a step. */
export function StepBody({ step }: { step: Step }) {
  switch (step.kind) {
    case 'code': return <Run step={step} />
    case 'browsing':
    case 'files': return <BrowsingSteps step={step} />
    case 'plugin': return <Exchange step={step} />
    case 'painting': return <><Prompts prompts={promptsOf(step)} /><Answers step={step} /></>
    case 'error': return <Answers step={step} />
    case 'raw': return step.messages.map(message => <Raw key={message.id} message={message} />)
  }
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
        <figcaption>{t(message.role === 'assistant' ? 'message.request' : 'message.response')}<Status message={message} /></figcaption>
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
  return step.messages.filter(message => message.role !== 'assistant' && textOf(message) !== '')
    .map(message => <Output key={message.id} text={textOf(message)} failed={message.content?.content_type === 'system_error'} />)
}

function Raw({ message: { metadata } }: { message: Message }) {
  const raw = metadata?.fallback_content
  return typeof raw === 'string'
    ? <Output text={raw} />
    : <CodeBlock code={JSON.stringify(raw, null, 2)} language="json" caret={null} />
}
