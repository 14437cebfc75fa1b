import { useEffect, useState } from 'react'
import { StreamingMarkdown } from './Markdown.tsx'
import styles from './rehearsal.module.css'
import { type TextFeed, textFeed } from './textFeed.ts'
import { whenIdle } from './turns.ts'
import { SAMPLES } from './warmUp.ts'

let rehearsed = 0

/**
 * Draws unseen what answers are made of, a piece each time the browser is idle. The first heading, the first table and the first line
 * of code take their components and fonts long moments: while a question is written and the first word awaited nobody misses them.
 */
export function Rehearsal() {
  const [sample, setSample] = useState<TextFeed>()
  useEffect(() => {
    if (rehearsed > SAMPLES.length) return
    // One step more than there are samples, so that nothing is left.
    return whenIdle(() => {
      const next = SAMPLES[rehearsed++]
      setSample(next === undefined ? undefined : textFeed(next))
    })
  }, [sample])
  if (sample === undefined) return null
  return (
    <div className={styles.unseen} inert aria-hidden>
      <StreamingMarkdown feed={sample} />
    </div>
  )
}
