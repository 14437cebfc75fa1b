import { beginPrinting, endPrinting } from '#web/foundation/printing.ts'

/** Milliseconds without a change after which the page is taken to be drawn, and the longest that is waited for it. */
const QUIET_MS = 200
const LONGEST_MS = 8000

/** Prints a conversation, or lets the browser make a PDF of it, which is named after it. */
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
    // Formulas are drawn in turns, code is coloured when there is time.
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

/** Nothing has changed for a moment. */
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

/** Tells of every change of the page, until the end is called or it takes too long. */
function whileChanging(begin: (end: () => void) => () => void): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      observer.disconnect()
      clearTimeout(longest)
      resolve()
    }
    const longest = setTimeout(end, LONGEST_MS)
    const observer = new MutationObserver(() => onChange())
    const onChange = begin(end)
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  })
}
