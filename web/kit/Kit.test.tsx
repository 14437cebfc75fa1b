import { ActionIcon } from '@mantine/core'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { freshDevice } from '#web/foundation/api.testing.ts'
import { changePreferences } from '#web/foundation/preferences.ts'
import { IconX } from './icons.ts'
import { Kit } from './Kit.tsx'

describe('the bar around the page', () => {
  test('has the colour of the header, in the chosen theme', async () => {
    freshDevice()
    const bar = document.createElement('meta')
    bar.name = 'theme-color'
    document.head.append(bar)
    onTestFinished(async () => {
      bar.remove()
      await changePreferences({ theme: null }, false)
    })
    await render(<Kit>page</Kit>)
    for (const [theme, colour] of [
      ['dark', '#151614'],
      ['light', '#F4F2EC'],
    ] as const) {
      await changePreferences({ theme }, false)
      await expect.poll(() => bar.content.toUpperCase()).toBe(colour)
    }
  })
})

test('a dark page is dark from its first frame on', async () => {
  const root = document.documentElement
  const themes: (string | null)[] = []
  const note = (changes: MutationRecord[]) => void themes.push(...changes.map(({ oldValue }) => oldValue))
  const watcher = new MutationObserver(note)
  onTestFinished(async () => {
    watcher.disconnect()
    await changePreferences({ theme: null }, false)
  })
  await changePreferences({ theme: 'dark' }, false)
  root.dataset['mantineColorScheme'] = 'dark'
  watcher.observe(root, { attributeFilter: ['data-mantine-color-scheme'], attributeOldValue: true })
  await render(<Kit>page</Kit>)
  note(watcher.takeRecords())
  expect([...themes, root.dataset['mantineColorScheme']]).not.toContain('light')
})

describe('with reduced motion', () => {
  beforeEach(() =>
    cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-reduced-motion', value: 'reduce' }] }),
  )
  afterEach(() => cdp().send('Emulation.setEmulatedMedia', { features: [] }))

  test('nothing in a button is animated', async () => {
    await render(
      <Kit>
        <ActionIcon aria-label="关闭">
          <IconX />
        </ActionIcon>
      </Kit>,
    )
    await expect.element(page.getByRole('button', { name: '关闭' })).toBeVisible()
    const button = page.getByRole('button', { name: '关闭' }).element()
    const slow = [button, ...button.querySelectorAll('*')]
      .flatMap(element => getComputedStyle(element).transitionDuration.split(', '))
      .filter(duration => Number.parseFloat(duration) > 0.001)
    expect(slow).toEqual([])
  })
})
