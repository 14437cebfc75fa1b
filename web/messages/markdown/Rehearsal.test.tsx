import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { Rehearsal } from './Rehearsal.tsx'

test('what answers are made of is laid out once, unseen, and nothing is left of it', async () => {
  const laidOut = new Set<string>()
  const seen: Element[] = []
  const { container, unmount } = await render(<Rehearsal />)
  const look = () => {
    for (const element of container.querySelectorAll('*')) {
      if (element.getBoundingClientRect().height > 0) laidOut.add(element.localName)
      if (getComputedStyle(element).visibility !== 'hidden') seen.push(element)
    }
  }
  const observer = new MutationObserver(look)
  observer.observe(container, { childList: true, subtree: true })
  look()
  await expect
    .poll(() => [...laidOut])
    .toEqual(
      expect.arrayContaining([
        'p',
        'strong',
        'em',
        'code',
        'h2',
        'h3',
        'h4',
        'ul',
        'ol',
        'li',
        'table',
        'th',
        'td',
        'pre',
        'a',
        'blockquote',
      ]),
    )
  await expect.poll(() => container.childElementCount).toBe(0)
  observer.disconnect()
  expect(seen).toEqual([])
  await unmount()
  const again = await render(<Rehearsal />)
  await new Promise(resolve => {
    requestIdleCallback(resolve, { timeout: 1_000 })
  })
  expect(again.container.childElementCount).toBe(0)
})
