import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Group } from './groups.ts'
import { markdownBlocks, type MarkdownBlocks } from './markdownBlocks.ts'
import type { TextFeed } from './textFeed.ts'
import { textFrames, whenIdle } from './turns.ts'

type Shown = {
  readonly groups: readonly Group[]
  readonly growing: boolean
  /** Whether it grew here, and was not there as a whole from the start. */
  readonly grew: boolean
}

/** The blocks of a growing text: one frame takes all that has come since the last. */
export function useMarkdownBlocks(feed: TextFeed): Shown {
  const [shown, setShown] = useState(() => begin(feed))
  // Another feed in the same place starts anew.
  const current = shown.feed === feed ? shown : begin(feed)
  const { blocks, grew } = current
  useEffect(() => {
    const nextFrame = textFrames(() => feed.done)
    let cancel: (() => void) | null = null
    /** More has come since the text was looked at last. */
    let behind = false
    let growing = true
    const show = () => setShown({ feed, blocks, groups: blocks.groups, growing, grew })
    const settle = (steps: Generator<undefined, void>) => {
      cancel = null
      if (steps.next().done) show()
      else cancel = whenIdle(() => settle(steps))
    }
    const take = {
      prepare: () => {
        behind = false
        blocks.update(feed.text, feed.done)
        growing = !feed.done
      },
      show: () => {
        cancel = null
        // In this frame, not in a task after it, which would make each piece of text cost two.
        flushSync(show)
        if (behind) schedule()
        else if (feed.done) cancel = whenIdle(() => settle(blocks.settle()))
      },
    }
    const schedule = () => {
      behind = true
      cancel ??= nextFrame(take)
    }
    const unsubscribe = feed.subscribe(() => {
      // Text that comes after the end (a correction) goes before the settling of what it replaces.
      if (feed.done && cancel) cancel()
      if (feed.done) cancel = null
      schedule()
    })
    schedule()
    return () => {
      unsubscribe()
      cancel?.()
    }
  }, [feed, blocks, grew])
  return current
}

function begin(feed: TextFeed): Shown & { feed: TextFeed; blocks: MarkdownBlocks } {
  const blocks = markdownBlocks()
  blocks.update(feed.text, feed.done)
  return { feed, blocks, groups: blocks.groups, growing: !feed.done, grew: !feed.done }
}
