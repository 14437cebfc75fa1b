import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { heatPump } from '#testing/webConversations/heatPump.ts'
import { odd } from '#testing/webConversations/odd.ts'
import { repliesOf, serve, theAnswer } from './answer.testing.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a source', () => {
  test('has the same number wherever it is cited, and is in the row below', async () => {
    serve({})
    const screen = await theAnswer(repliesOf(heatPump))
    expect(
      screen
        .getByTestId('citation')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(['1', '2', '1'])
    expect(screen.container.textContent).not.toMatch(/†|\uE200/)
    const row = screen.getByTestId('sources')
    await expect
      .element(row.getByRole('link', { name: /低温工况/ }))
      .toHaveAttribute('href', 'https://lab.example.cn/heat-pump/low-temperature')
    expect(row.getByRole('link').elements()).toHaveLength(2)
  })

  test('shows its card under the pointer', async () => {
    serve({})
    const screen = await theAnswer(repliesOf(heatPump))
    await screen.getByTestId('citation').nth(1).hover()
    const card = page.getByTestId('citation-card')
    await expect.element(card).toMatchTextContent(/lab\.example\.cn低温工况下热泵热水器实测环境温度 5 ℃ 以下/)
    await userEvent.hover(screen.getByTestId('sources'))
    await expect.element(card).not.toBeInTheDocument()
  })

  test('is reached by keyboard, and gives the focus back', async () => {
    serve({})
    const screen = await theAnswer(repliesOf(heatPump))
    const chip = screen.getByTestId('citation').first()
    chip.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByTestId('citation-card').getByRole('link')).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(chip).toHaveFocus()
    await expect.element(page.getByTestId('citation-card')).not.toBeInTheDocument()
  })

  test('with an unsafe address is not shown, and the text is whole', async () => {
    const screen = await theAnswer(repliesOf(odd))
    await expect.element(screen.getByText(/a citation that leads nowhere【1†source】/)).toBeVisible()
    expect(screen.container.querySelectorAll('[data-testid="citation"], a[href^="javascript"]')).toHaveLength(0)
  })
})
