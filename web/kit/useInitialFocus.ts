import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** Focuses a field when it is mounted, except on devices where that would open a keyboard over half of the screen. */
export function useInitialFocus(wanted = true): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (wanted && window.matchMedia('(hover: hover)').matches) field.current?.focus()
  }, [wanted])
  return field
}
