import { useEffect, useState } from 'react'
import { Markdown } from './Markdown.tsx'
import styles from './rehearsal.module.css'
import { whenIdle } from './turns.ts'
import { SAMPLES } from './warmUp.ts'

let rehearsed = 0

/**
 * Draws unseen what answers are made of, a piece each time the browser is idle. The first heading, the first table and the first line
 * of code take their components and fonts long moments: while a question is written and the first word awaited nobody misses them.
 */
export function Rehearsal() {
  const [sample, setSample] = useState<string>()
  useEffect(() => {
    if (rehearsed > SAMPLES.length) return
    // One step more than there are samples, so that nothing is left.
    return whenIdle(() => setSample(SAMPLES[rehearsed++]))
  }, [sample])
  if (sample === undefined) return null
  return <div className={styles.unseen} inert aria-hidden><Markdown text={sample} /></div>
}
