import type { BrowserContext, ConsoleMessage, Request, WebError } from '@playwright/test'

/**
 * Collects script errors, violations of the content security policy and requests to other hosts, until it is stopped.
 */
export function watchPage(context: BrowserContext, url: string): { complaints: string[]; stop(): void } {
  const complaints: string[] = []
  const { host } = new URL(url)
  const onError = (error: WebError) =>
    void complaints.push(`broken script: ${error.error().stack ?? error.error().message}`)
  const onConsole = (message: ConsoleMessage) => {
    if (/Content[- ]Security[- ]Policy/i.test(message.text())) complaints.push(message.text())
  }
  const onRequest = (request: Request) => {
    const asked = new URL(request.url())
    if (asked.host !== host && /^(https?|wss?):$/.test(asked.protocol)) complaints.push(`a request to ${request.url()}`)
  }
  context.on('weberror', onError)
  context.on('console', onConsole)
  context.on('request', onRequest)
  return {
    complaints,
    stop() {
      context.off('weberror', onError)
      context.off('console', onConsole)
      context.off('request', onRequest)
    },
  }
}
