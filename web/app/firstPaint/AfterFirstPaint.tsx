import { type ReactNode, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { takeOver } from './takeOver.ts'

/** The page takes the place of what was painted before it as soon as it stands, and before that is seen. */
export function AfterFirstPaint({ page, children }: { page: HTMLElement; children: ReactNode }) {
  const [, setAlive] = useState(false)
  // Not inside of React's own work, but before the next frame: each field that is filled is to be seen by the form before the next one.
  useLayoutEffect(() => queueMicrotask(() => {
    // Has everything inside listen to what is written before anything is: a key that is struck next must find it.
    flushSync(() => setAlive(true))
    takeOver(page)
  }), [page])
  return children
}
