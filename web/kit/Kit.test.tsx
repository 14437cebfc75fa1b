import { describe, expect, onTestFinished, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { freshDevice } from '#web/foundation/apiForTests.ts'
import { changePreferences } from '#web/foundation/preferences.ts'
import { Kit } from './Kit.tsx'
import './styles.ts'

describe('the bar around the page', () => {
  test('goes on in the colour of the header, in the theme that was chosen', async () => {
    freshDevice()
    const bar = document.createElement('meta')
    bar.name = 'theme-color'
    document.head.append(bar)
    onTestFinished(async () => {
      bar.remove()
      await changePreferences({ theme: null }, false)
    })
    await render(<Kit>page</Kit>)
    for (const [theme, colour] of [['dark', '#151614'], ['light', '#F4F2EC']] as const) {
      await changePreferences({ theme }, false)
      await expect.poll(() => bar.content.toUpperCase()).toBe(colour)
    }
  })
})
