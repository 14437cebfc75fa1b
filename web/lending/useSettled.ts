import { useEffect, useState } from 'react'

/** Milliseconds without a change before a month is asked again. */
const SETTLED = 600

/** A value of JSON as it last stayed for a moment. */
export function useSettled<T>(value: T): T {
  const text = JSON.stringify(value)
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED)
    return () => clearTimeout(timer)
  }, [text])
  return JSON.parse(settled) as T // as it was written above
}
