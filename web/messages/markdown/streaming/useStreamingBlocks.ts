import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { afterFrame, HIDDEN_INTERVAL, whenIdle } from '#web/foundation/idle.ts'
import type { Group } from '../parser/blockGroups.ts'
import { incrementalParser, type IncrementalParser } from './incrementalParser.ts'
import type { TextFeed } from './textFeed.ts'

type StreamingBlocks = {
  readonly groups: readonly Group[]
  readonly growing: boolean
  /** False for a text that was complete when it was first shown. */
  readonly grew: boolean
  /** Nothing changes any more: the text is complete and has been parsed as a whole. */
  readonly final: boolean
}

/**
 * Characters that one update takes: a long text that comes at once, as after a reload, is drawn in parts, and the page
 * answers meanwhile.
 */
const MAX_ADDED = 20_000

/** The blocks of a growing text. Each update takes what has come since the last one. */
export function useStreamingBlocks(feed: TextFeed): StreamingBlocks {
  const [shown, setShown] = useState(() => firstBlocks(feed))
  const current = shown.feed === feed ? shown : firstBlocks(feed)
  const { parser, firstText, grew } = current
  useEffect(() => {
    const schedule = frameScheduler(() => feed.done)
    let cancel: (() => void) | null = null
    /** Characters that were parsed. */
    let taken = firstText.length
    /** There is more text than was parsed. */
    let behind = feed.text !== firstText
    let growing = true
    let final = false
    const next = () => ({ feed, parser, firstText, groups: parser.groups, growing, grew, final })
    const show = () => setShown(next())
    const reparse = (steps: Generator<undefined, void>) => {
      cancel = null
      final = steps.next().done === true
      if (final) show()
      else cancel = whenIdle(() => reparse(steps))
    }
    const update = {
      prepare: () => {
        final = false
        const text = beginning(feed.text, taken + MAX_ADDED)
        taken = text.length
        behind = text !== feed.text
        growing = !feed.done || behind
        parser.update(text, !growing)
      },
      show: () => {
        cancel = null
        // For this frame: React's own task after it would make each piece of text cost two frames.
        flushSync(show)
        if (behind) requestUpdate()
        else if (feed.done) cancel = whenIdle(() => reparse(parser.reparse()))
      },
    }
    const requestUpdate = () => {
      behind = true
      cancel ??= schedule(update)
    }
    const unsubscribe = feed.subscribe(() => {
      // A correction that comes after the end comes before the parse of what it replaces.
      if (feed.done && cancel) cancel()
      if (feed.done) cancel = null
      requestUpdate()
    })
    // The first frame paints what was there at the start; more text waits for the next one.
    cancel = afterFrame(() => {
      cancel = null
      parser.prewarm()
      if (behind || feed.done) requestUpdate()
      else setShown(before => (before.feed === feed ? before : next()))
    })
    return () => {
      unsubscribe()
      cancel?.()
    }
  }, [feed, parser, firstText, grew])
  return current
}

type Shown = StreamingBlocks & { feed: TextFeed; parser: IncrementalParser; firstText: string }

function firstBlocks(feed: TextFeed): Shown {
  const parser = incrementalParser()
  const firstText = beginning(feed.text, MAX_ADDED)
  const growing = !feed.done || firstText !== feed.text
  parser.update(firstText, !growing)
  return { feed, parser, firstText, groups: parser.groups, growing, grew: !feed.done, final: false }
}

/** About so many characters, and no half of one. */
function beginning(text: string, length: number): string {
  if (text.length <= length) return text
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(length - 1))
  return text.slice(0, isHalf ? length + 1 : length)
}

/** After an update, the page is left alone for eight times what it cost, but not longer than this, in milliseconds. */
const PAUSE_FACTOR = 8
const MAX_PAUSE = 150

type Update = {
  /** A task of its own, so that the frame stays short. */
  prepare(): void
  /** Runs in a later task, shortly before a frame. */
  show(): void
}

/**
 * Schedules updates of a growing text. The cost of each, with layout and paint, decides how long the next one waits: on
 * a slow machine text comes in larger pieces and the page goes on answering. At the end nothing waits.
 */
export function frameScheduler(atEnd: () => boolean): (update: Update) => () => void {
  let pausedUntil = 0
  let isPainted = true
  /** Begins the update that was requested before the last one was painted. */
  let beginNext: (() => void) | null = null
  /** Takes the cost of an update, part of which was spent before its frame. */
  const onceShown = (spent: number) => {
    requestAnimationFrame(() => {
      const started = performance.now()
      // A timer runs once this frame is painted.
      setTimeout(() => {
        const now = performance.now()
        pausedUntil = now + Math.min(MAX_PAUSE, PAUSE_FACTOR * (spent + now - started))
        isPainted = true
        beginNext?.()
        beginNext = null
      }, 0)
    })
  }
  return ({ prepare, show }) => {
    let frame = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    let prepared: number | null = null
    const begin = () => {
      timer = setTimeout(inTask, Math.max(0, pausedUntil - performance.now()))
    }
    const inTask = () => {
      const started = performance.now()
      prepare()
      prepared = performance.now() - started
      // React works in another task while the browser waits for the screen: the frame has only to lay out and paint.
      timer = setTimeout(showNow, 0)
    }
    const showNow = () => {
      cancel()
      const started = performance.now()
      if (prepared === null) prepare()
      isPainted = false
      show()
      onceShown((prepared ?? 0) + performance.now() - started)
    }
    if (atEnd()) frame = requestAnimationFrame(showNow)
    else if (isPainted) begin()
    else beginNext = begin
    // A tab that is or becomes hidden gets no frame.
    const hidden = setTimeout(showNow, HIDDEN_INTERVAL)
    const cancel = () => {
      if (beginNext === begin) beginNext = null
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      clearTimeout(hidden)
    }
    return cancel
  }
}
