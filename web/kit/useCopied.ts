import { useEffect, useState } from 'react'

/** Milliseconds for which a check replaces the copy icon. */
const COPIED_SHOWN = 2000

/** Copies a text, for programs that take formatted text also as HTML; `copied` is true for a moment afterwards. */
export function useCopied(): { copied: boolean; copy(text: string, html?: string): Promise<void> } {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_SHOWN)
    return () => clearTimeout(timer)
  }, [copied])
  return { copied, copy: async (text, html = '') => setCopied(await copyText(text, html)) }
}

/** The Clipboard API needs a secure origin. A portal on plain http has none, so execCommand is the fallback. */
async function copyText(text: string, html: string): Promise<boolean> {
  try {
    if (html === '') await navigator.clipboard.writeText(text)
    else await navigator.clipboard.write([itemOf(text, html)])
    return true
  } catch {
    return copyBySelection(text, html)
  }
}

/** Of blobs: only browsers of 2024 take texts. */
function itemOf(text: string, html: string): ClipboardItem {
  const blob = (content: string, type: string) => new Blob([content], { type })
  return new ClipboardItem({ 'text/plain': blob(text, 'text/plain'), 'text/html': blob(html, 'text/html') })
}

function copyBySelection(text: string, html: string): boolean {
  const before = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.style.position = 'fixed'
  area.style.opacity = '0'
  area.addEventListener('copy', event => {
    if (html === '') return
    event.clipboardData?.setData('text/plain', text)
    event.clipboardData?.setData('text/html', html)
    event.preventDefault()
  })
  document.body.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return copied
}
