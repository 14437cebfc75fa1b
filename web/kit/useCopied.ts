import { useEffect, useState } from 'react'
import { copyText } from './copyText.ts'

/** How long a check stands in the place of the copy icon, in milliseconds. */
const COPIED_SHOWN = 2000

/** Whether something was copied just now, and how to copy it. */
export function useCopied(): { copied: boolean; copy(text: string): Promise<void> } {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_SHOWN)
    return () => clearTimeout(timer)
  }, [copied])
  return { copied, copy: async text => setCopied(await copyText(text)) }
}
