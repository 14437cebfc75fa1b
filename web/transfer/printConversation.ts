import { beginPrinting, endPrinting } from '#web/foundation/printing.ts'

/** The page is complete after this many milliseconds without a change. */
const QUIET_MS = 200
const MAX_WAIT_MS = 8000

/** Opens the browser’s print dialog for a conversation. A PDF is named after the page’s title. */
export async function printConversation(id: string, title: string, open: () => Promise<void>): Promise<void> {
  if (threadOf(id) === null) {
    await open()
    await until(() => threadOf(id) !== null)
  }
  const thread = threadOf(id)
  if (thread === null) return
  const titleBefore = document.title
  thread.dataset['title'] = title
  document.title = title
  try {
    beginPrinting()
    // Waits for formulas and highlighted code, which are rendered in the background.
    await settled()
    window.print()
  } finally {
    endPrinting()
    document.title = titleBefore
    delete thread.dataset['title']
  }
}

function threadOf(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-printed="${CSS.escape(id)}"]`)
}

function settled(): Promise<void> {
  return whileChanging(end => {
    let quiet = setTimeout(end, QUIET_MS)
    return () => {
      clearTimeout(quiet)
      quiet = setTimeout(end, QUIET_MS)
    }
  })
}

function until(isThere: () => boolean): Promise<void> {
  if (isThere()) return Promise.resolve()
  return whileChanging(end => () => {
    if (isThere()) end()
  })
}

/** Calls back with every change of the page, until `end` is called or the time is over. */
function whileChanging(start: (end: () => void) => () => void): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      observer.disconnect()
      clearTimeout(longest)
      resolve()
    }
    const longest = setTimeout(end, MAX_WAIT_MS)
    const observer = new MutationObserver(() => onChange())
    const onChange = start(end)
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  })
}
