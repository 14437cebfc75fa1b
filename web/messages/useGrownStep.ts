import { useMemo, useSyncExternalStore } from 'react'
import { withText } from '#contract/messages.ts'
import type { TextFeed } from './markdown/streaming/textFeed.ts'
import type { Step } from './steps.ts'

const nothing = () => () => undefined

/** A step whose last message still grows, with what has come of it so far. */
export function useGrownStep(step: Step, feed: TextFeed | undefined): Step {
  const text = useSyncExternalStore(feed?.subscribe ?? nothing, () =>
    feed === undefined || feed.done ? null : feed.text,
  )
  return useMemo(() => {
    const last = step.messages.at(-1)
    if (text === null || last === undefined) return step
    return { ...step, messages: [...step.messages.slice(0, -1), { ...last, content: withText(last.content, text) }] }
  }, [step, text])
}
