import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Group } from './groups.ts'
import { markdownBlocks, type MarkdownBlocks } from './markdownBlocks.ts'
import type { TextFeed } from './textFeed.ts'
import { afterFrame, textFrames, whenIdle } from './turns.ts'

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
  const { blocks, begun, grew } = current
  useEffect(() => {
    const nextFrame = textFrames(() => feed.done)
    let cancel: (() => void) | null = null
    /** More has come since the text was looked at last. */
    let behind = feed.text !== begun
    let growing = true
    const next = () => ({ feed, blocks, begun, groups: blocks.groups, growing, grew })
    const show = () => setShown(next())
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
    // What has come since is for a later frame: this one has the drawing of the first to paint.
    cancel = afterFrame(() => {
      cancel = null
      if (behind || feed.done) schedule()
      else setShown(before => (before.feed === feed ? before : next()))
    })
    return () => {
      unsubscribe()
      cancel?.()
    }
  }, [feed, blocks, begun, grew])
  return current
}

/** `begun` is the text that it was drawn with first. */
function begin(feed: TextFeed): Shown & { feed: TextFeed; blocks: MarkdownBlocks; begun: string } {
  const blocks = markdownBlocks()
  const begun = feed.text
  blocks.update(begun, feed.done)
  return { feed, blocks, begun, groups: blocks.groups, growing: !feed.done, grew: !feed.done }
}
