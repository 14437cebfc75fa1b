import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { dressSoon, takeMarks, takeOver } from './takeOver.ts'

/** The page takes the place of what was painted before it as soon as it stands; until then it is laid out, but not seen. */
export function AfterFirstPaint({ page, children }: { page: HTMLElement; children: ReactNode }) {
  const [, setAlive] = useState(false)
  useLayoutEffect(() => {
    takeMarks()
    dressSoon(page)
  }, [page])
  useEffect(() => {
    // In a task of its own, behind the effects of all that is inside. Each field that is filled is to be seen by the form before the next one.
    const timer = setTimeout(() => {
      // Has everything inside listen to what is written before anything is: a key that is struck next must find it.
      flushSync(() => setAlive(true))
      takeOver(page)
    })
    return () => clearTimeout(timer)
  }, [page])
  return children
}
