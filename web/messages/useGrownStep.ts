import { useMemo, useSyncExternalStore } from 'react'
import type { Content } from '#contract/messages.ts'
import type { TextFeed } from './markdown/textFeed.ts'
import type { Step } from './steps.ts'

const nothing = () => () => undefined

/** A step whose last message still grows, with what has come of it so far. */
export function useGrownStep(step: Step, feed: TextFeed | undefined): Step {
  const text = useSyncExternalStore(feed?.subscribe ?? nothing, () => (feed === undefined || feed.done ? null : feed.text))
  return useMemo(() => {
    const last = step.messages.at(-1)
    if (text === null || last === undefined) return step
    return { ...step, messages: [...step.messages.slice(0, -1), { ...last, content: withText(last.content, text) }] }
  }, [step, text])
}

function withText(content: Content | null, text: string): Content | null {
  if (content === null || content.content_type === 'multimodal_text') return content
  if (content.content_type === 'tether_browsing_display') return { ...content, result: text }
  return content.content_type === 'text' ? { content_type: 'text', text } : { ...content, text }
}
