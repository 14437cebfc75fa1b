import { type RefObject, useLayoutEffect, useRef } from 'react'

const BY_STYLE = CSS.supports('field-sizing', 'content')

/** For a field that grows with its text, where the style sheet alone cannot make it. */
export function useAutosize(text: string): RefObject<HTMLTextAreaElement | null> {
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const element = field.current
    if (BY_STYLE || element === null) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [text])
  return field
}
