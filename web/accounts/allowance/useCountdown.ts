import { useEffect, useEffectEvent, useState } from 'react'
import { leftUntil } from './countdown.ts'

/** A little later than the second itself, so that the figure is the new one. */
const AFTER_THE_SECOND_MS = 20

/**
 * Milliseconds left until the moment, renewed as each second ends. At the end `onEnd` is called, and then each second until
 * the moment is another one: whoever was told so asks again.
 */
export function useCountdown(moment: string | null, ahead_ms: number, onEnd: () => void): number {
  const [now, setNow] = useState(() => Date.now())
  const ended = useEffectEvent(onEnd)
  useEffect(() => {
    if (moment === null) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const tick = () => {
      const at = Date.now()
      const left = leftUntil(moment, at, ahead_ms)
      setNow(at)
      if (left === 0) ended()
      timer = setTimeout(tick, left === 0 ? 1000 : (left % 1000 || 1000) + AFTER_THE_SECOND_MS)
    }
    tick()
    return () => clearTimeout(timer)
  }, [moment, ahead_ms])
  return moment === null ? 0 : leftUntil(moment, now, ahead_ms)
}
