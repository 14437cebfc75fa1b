import type { BrowserContext } from '@playwright/test'

/** Collects script errors, violations of the content security policy and requests to other hosts. */
export function watchPage(context: BrowserContext, url: string): { complaints: string[] } {
  const complaints: string[] = []
  const { host } = new URL(url)
  context.on('weberror', error => complaints.push(`broken script: ${error.error().stack ?? error.error().message}`))
  context.on('console', message => {
    if (/Content[- ]Security[- ]Policy/i.test(message.text())) complaints.push(message.text())
  })
  context.on('request', request => {
    const asked = new URL(request.url())
    if (asked.host !== host && /^(https?|wss?):$/.test(asked.protocol)) complaints.push(`a request to ${request.url()}`)
  })
  return { complaints }
}
