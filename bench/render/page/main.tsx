// Shows an answer while it streams in: in the product's thread, or as plain text in the smallest React page (the
// baseline).
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import type { Message } from '#contract/messages.ts'
import { aMessage } from '#testing/messages.ts'
import type { Ask } from '#web/asking/asks/askState.ts'
import { Thinking } from '#web/asking/queue/QueuePanel.tsx'
import { Thread } from '#web/thread/Thread.tsx'
import { queryClient } from '#web/foundation/queryClient.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { textFeed, type TextFeed } from '#web/messages/markdown/streaming/textFeed.ts'
import { watchFrames, type Smoothness } from './watchFrames.ts'

export type Shown = Smoothness & { lag: number }

/** Milliseconds between two socket events: the product coalesces text for that long. */
const EVENT_MS = 25
const SETTLED_MS = 1_500

/** The baseline: a text in a state that is set again with each piece, scrolled to its end. */
function PlainText({ feed }: { feed: TextFeed }) {
  const [text, setText] = useState('')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => feed.subscribe(() => setText(feed.text)), [feed])
  useLayoutEffect(() => {
    box.current?.scrollTo(0, box.current.scrollHeight)
  }, [text])
  return (
    <div ref={box} style={{ height: '100vh', overflow: 'auto' }}>
      <div style={{ maxWidth: 720, margin: 'auto', whiteSpace: 'pre-wrap', font: '16px/1.75 system-ui' }}>{text}</div>
    </div>
  )
}

const answer = aMessage()

const ask: Ask = {
  ask_id: 'b',
  conversation_id: 'c',
  request: null,
  question: null,
  replies: [],
  isStored: false,
  record: null,
  state: { phase: 'waiting' },
  connection: { state: 'open' },
  since: Date.now(),
}

/** The thread as it is while an ask is answered: the model thinks until the first text comes. */
function ProductThread({ feed }: { feed: TextFeed }) {
  const [messages, setMessages] = useState<Message[]>([])
  const [live] = useState({ feedOf: () => feed, growing: true, actions: null })
  useEffect(() => feed.subscribe(() => setMessages(before => (before.length === 0 ? [answer] : before))), [feed])
  return (
    <QueryClientProvider client={queryClient}>
      <Kit>
        <div style={{ height: '100vh', display: 'flex' }}>
          <Thread conversationKey="c" messages={messages} live={live}>
            {messages.length === 0 && <Thinking ask={ask} />}
          </Thread>
        </div>
      </Kit>
    </QueryClientProvider>
  )
}

const delay = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

const element = document.getElementById('root')
if (element === null) throw new Error('the page has no root')
const root = createRoot(element)

let feed = textFeed()
let tokens: string[] = []
let prepared = 0

/** Mounts a new view that will show the tokens; transferring them and mounting is not measured. */
function prepare(how: 'product' | 'plain', all: string[]): Promise<void> {
  feed = textFeed()
  tokens = all
  prepared += 1
  root.render(
    how === 'product' ? <ProductThread key={prepared} feed={feed} /> : <PlainText key={prepared} feed={feed} />,
  )
  return painted()
}

/** Resolves when the next frame has been painted. */
function painted(): Promise<void> {
  return new Promise(resolve => {
    requestAnimationFrame(() => setTimeout(resolve))
  })
}

/**
 * Feeds the tokens at their pace until the last words are shown; returns the browser's measurements until a while after
 * that.
 */
async function show(tokens_per_second: number, counted: boolean, last_words: string): Promise<Shown> {
  const watched = watchFrames(counted)
  await feedAll(tokens_per_second)
  const lag = await untilShown(last_words)
  await delay(SETTLED_MS)
  return { ...watched.stop(), lag }
}

function feedAll(tokens_per_second: number): Promise<void> {
  return new Promise(resolve => {
    const began = performance.now()
    let given = 0
    const timer = setInterval(() => {
      const due = Math.min(tokens.length, Math.floor(((performance.now() - began) * tokens_per_second) / 1_000))
      feed.append(tokens.slice(given, due).join(''))
      given = due
      if (given < tokens.length) return
      clearInterval(timer)
      feed.finish()
      resolve()
    }, EVENT_MS)
  })
}

/** Milliseconds until a frame shows the words. */
function untilShown(words: string): Promise<number> {
  const began = performance.now()
  return new Promise(resolve => {
    requestAnimationFrame(function look() {
      // In the task after this frame, when it has been laid out.
      setTimeout(() => {
        if (document.body.textContent.includes(words)) resolve(performance.now() - began)
        else requestAnimationFrame(look)
      })
    })
  })
}

Object.assign(globalThis, { prepare, show })
