import type { Browser, CDPSession } from '@playwright/test'

/** A browser tab to measure. Values are read from its page by plain expressions only. */
export type Tab = {
  send: CDPSession['send']
  on: CDPSession['on']
  /** Runs a function in the page before its own scripts. */
  beforeScripts: <Argument>(run: (argument: Argument) => void, argument: Argument) => Promise<void>
  /** Resolves when the page has been reached. */
  goTo: (url: string) => Promise<void>
  /** The value of an expression; promises are awaited. */
  value: <Value>(expression: string) => Promise<Value>
  close: () => Promise<void>
}

export type Cookie = { name: string; value: string }

/** The cookies of a `Cookie` header. */
export function cookiesOf(header: string): Cookie[] {
  return header.split('; ').map(pair => {
    const at = pair.indexOf('=')
    return { name: pair.slice(0, at), value: pair.slice(at + 1) }
  })
}

const DEADLINE_MS = 60_000
const VIEW = { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false }

/**
 * Opens a tab with an empty cache. Playwright's own pages are not used: they inject a script and record where each
 * error was made, for which the browser parses React's code a second time. On a slow processor either is a long task
 * that no real visitor has.
 */
export async function openTab(browser: Browser, url: string, cookies: readonly Cookie[] = []): Promise<Tab> {
  const root = await browser.newBrowserCDPSession()
  const { browserContextId } = await root.send('Target.createBrowserContext')
  await root.send('Storage.setCookies', { browserContextId, cookies: cookies.map(cookie => ({ ...cookie, url })) })
  const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', browserContextId })
  const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: false })
  const { send, on } = sessionOf(root, sessionId)
  await send('Emulation.setDeviceMetricsOverride', VIEW)
  await send('Emulation.setFocusEmulationEnabled', { enabled: true })
  await send('Emulation.setLocaleOverride', { locale: 'zh-CN' })
  await send('Page.enable')
  return {
    send,
    on,
    async beforeScripts(run, argument) {
      await send('Page.addScriptToEvaluateOnNewDocument', { source: `(${run})(${JSON.stringify(argument)})` })
    },
    async goTo(there) {
      const { errorText } = await send('Page.navigate', { url: there })
      if (errorText !== undefined) throw new Error(`${there}: ${errorText}`)
    },
    async value<Value>(expression: string) {
      const { result, exceptionDetails } = await send('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      })
      if (exceptionDetails !== undefined)
        throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`)
      return result.value as Value // the caller knows the type of its expression
    },
    async close() {
      await root.send('Target.disposeBrowserContext', { browserContextId })
      await root.detach()
    },
  }
}

type Message = { id?: number; method?: string; params?: unknown; result?: unknown; error?: { message: string } }

/**
 * A DevTools session of the tab, made through the browser's session: Playwright offers sessions of its own pages only.
 */
function sessionOf(root: CDPSession, sessionId: string): Pick<Tab, 'send' | 'on'> {
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (why: Error) => void }>()
  const listeners = new Map<string, (params: unknown) => void>()
  let last = 0

  root.on('Target.receivedMessageFromTarget', event => {
    if (event.sessionId !== sessionId) return
    const { id, method, params, result, error }: Message = JSON.parse(event.message)
    if (id === undefined) return listeners.get(method ?? '')?.(params)
    if (error) waiting.get(id)?.reject(new Error(error.message))
    else waiting.get(id)?.resolve(result)
    waiting.delete(id)
  })

  async function send(method: string, params = {}): Promise<unknown> {
    const id = (last += 1)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    waiting.set(id, { resolve, reject })
    const timer = setTimeout(() => reject(new Error(`no answer to ${method}`)), DEADLINE_MS)
    await root.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) })
    return promise.finally(() => clearTimeout(timer))
  }
  const on = (event: string, take: (params: unknown) => void) => void listeners.set(event, take)
  return { send, on } as unknown as Pick<Tab, 'send' | 'on'> // the protocol's own types, by method and event
}
