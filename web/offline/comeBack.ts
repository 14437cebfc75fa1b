import type { OfflineTexts } from '#web/i18n/offline.ts'

/**
 * Runs in the page that stands in for one that could not be fetched. Its text is put there as it is, so it may use nothing but the
 * browser and its texts: it speaks the person's language, and fetches the page itself as soon as the server answers.
 */
export function comeBack(texts: Record<string, OfflineTexts>): void {
  const FIRST_PAUSE_MS = 2000
  const LONGEST_PAUSE_MS = 30_000
  const kept = (name: string) => {
    try {
      return localStorage.getItem(name) ?? ''
    } catch {
      return ''
    }
  }
  const language = kept('language') in texts ? kept('language') : document.documentElement.lang
  const words = texts[language]
  if (words === undefined) return
  const dark =
    kept('theme') === 'dark' || (kept('theme') !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.lang = language
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light'
  let pause = FIRST_PAUSE_MS
  let timer = 0

  const say = (selector: string, text: string) => {
    const element = document.querySelector(selector)
    if (element !== null && element.textContent !== text) element.textContent = text
  }
  const show = () => {
    say('h1', navigator.onLine ? words.away : words.offline)
    say('p', navigator.onLine ? words.awayText : words.offlineText)
    say('button', words.again)
  }
  const look = async () => {
    clearTimeout(timer)
    show()
    const answered = await fetch('/healthz', { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (answered) return location.reload()
    timer = Number(setTimeout(look, pause))
    pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)
  }

  document.querySelector('button')?.addEventListener('click', () => location.reload())
  addEventListener('online', look)
  addEventListener('offline', show)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void look()
  })
  show()
  timer = Number(setTimeout(look, pause))
}
