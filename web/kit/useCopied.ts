import { useEffect, useState } from 'react'

/** Milliseconds for which a check replaces the copy icon. */
const COPIED_SHOWN = 2000

/** Copies a text; `copied` is true for a moment afterwards. */
export function useCopied(): { copied: boolean; copy(text: string): Promise<void> } {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_SHOWN)
    return () => clearTimeout(timer)
  }, [copied])
  return { copied, copy: async text => setCopied(await copyText(text)) }
}

/** The Clipboard API needs a secure origin. A portal on plain http has none, so execCommand is the fallback. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const before = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.style.position = 'fixed'
  area.style.opacity = '0'
  document.body.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return copied
}
