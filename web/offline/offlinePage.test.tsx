import { describe, expect, test } from 'vitest'
import { offlinePage } from './offlinePage.ts'

describe('the page that stands in for one that cannot be fetched', () => {
  test('needs no other file, and runs nothing but its own script', async () => {
    const page = offlinePage()
    const policy = page.headers.get('content-security-policy') ?? ''
    const nonce = /script-src 'nonce-([\w-]+)'/.exec(policy)?.[1] ?? 'none'
    const shown = new DOMParser().parseFromString(await page.text(), 'text/html')
    expect([...shown.querySelectorAll('script, style')].map(element => element.getAttribute('nonce'))).toEqual([
      nonce,
      nonce,
    ])
    expect(shown.querySelectorAll('link, img, [src], [href], [style], [onclick]')).toHaveLength(0)
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
  })
  test('has another nonce each time, and is not cached', () => {
    const [one, other] = [offlinePage(), offlinePage()]
    expect(one.headers.get('content-security-policy')).not.toBe(other.headers.get('content-security-policy'))
    expect([one.status, one.headers.get('cache-control')]).toEqual([503, 'no-store'])
  })
  test('speaks every language', async () => {
    const text = await offlinePage().text()
    for (const words of ['没有网络', 'You are offline', 'Anda di luar talian']) expect(text).toContain(words)
  })
})
