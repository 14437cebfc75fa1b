import { type ComponentProps, useState } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import { QueryClientProvider } from '@tanstack/react-query'
import { UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import type { SendKey } from '#contract/preferences.ts'
import { changePreferences } from '#web/foundation/preferences.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { Composer } from './Composer.tsx'
import type { ModelChoices } from '../conversation/modelChoice.ts'

const CHOICE: ModelChoices = {
  source: 'openai_api',
  model: 'gpt_4',
  models: [],
  remaining: 12,
  choose: () => undefined,
  levels: [],
  level: null,
  chooseLevel: () => undefined,
}

type Files = ComponentProps<typeof Composer>['draft']['files']
const NO_FILES: Files = { above: null, button: null, hint: null, question: null, openEarlier: null }

async function aComposer({
  disabledReason = null,
  choice = CHOICE,
  files = NO_FILES,
}: { disabledReason?: string | null; choice?: ModelChoices | null; files?: typeof NO_FILES } = {}) {
  const sent: string[] = []
  const quiet: string[] = []
  function Page() {
    const [text, write] = useState('')
    return (
      <Composer
        draft={{ conversation: 'c', text, write, files }}
        choice={choice}
        disabledReason={disabledReason}
        onSend={(words, when) => (when === 'quiet' ? quiet : sent).push(words)}
        awaited={null}
      />
    )
  }
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <Page />
      </Kit>
    </QueryClientProvider>,
  )
  const field = screen.getByRole('textbox', { name: '问题' })
  return { screen, field, sent, quiet }
}

function press(field: Element, more: KeyboardEventInit & { keyCode?: number } = {}): void {
  const stroke = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...more })
  if (more.keyCode !== undefined) Object.defineProperty(stroke, 'keyCode', { value: more.keyCode })
  field.dispatchEvent(stroke)
}

afterEach(() => changePreferences({ sendKey: 'Enter' }, false))

test('the field of a question has a direction for each paragraph, which costs nothing when much is pasted', async () => {
  const { field } = await aComposer()
  expect(field.element().hasAttribute('dir')).toBe(false)
  expect(getComputedStyle(field.element()).unicodeBidi).toBe('plaintext')
})

describe('the composer', () => {
  test.each([
    ['Enter', '{Enter}', '{Shift>}{Enter}{/Shift}'],
    ['Shift+Enter', '{Shift>}{Enter}{/Shift}', '{Enter}'],
    ['Ctrl+Enter', '{Control>}{Enter}{/Control}', '{Enter}'],
  ] as const)('sends by %s alone', async (sendKey: SendKey, sends, breaks) => {
    await changePreferences({ sendKey }, false)
    const { field, sent } = await aComposer()
    await field.click()
    await userEvent.keyboard('一')
    await userEvent.keyboard(breaks)
    await userEvent.keyboard('二')
    expect(sent).toEqual([])
    await userEvent.keyboard(sends)
    expect(sent).toEqual(['一\n二'])
  })

  test('lists many models with long names inside a narrow window', async () => {
    await page.viewport(390, 844)
    const models = Array.from({ length: 50 }, (_, at) => ({
      source: 'openai_api' as const,
      code: `${at}${'x'.repeat(60)}`,
      label: null,
      ...UNKNOWN_CAPABILITIES,
    }))
    const { screen } = await aComposer({ choice: { ...CHOICE, model: models[40]!.code, models } })
    await screen.getByRole('button', { name: /x{60}/ }).click()
    const menu = page.getByRole('menu')
    await expect.element(menu).toBeVisible()
    expect(page.getByRole('menuitemradio').elements()).toHaveLength(50)
    await expect.poll(() => menu.element().getBoundingClientRect().right).toBeLessThanOrEqual(390)
    expect(menu.element().scrollWidth).toBe(menu.element().clientWidth)
    expect(menu.element().getBoundingClientRect().height).toBeLessThanOrEqual(844 / 2)
    // The chosen one is in view, and the arrow keys start from it.
    const chosen = page.getByRole('menuitemradio', { checked: true })
    await expect.element(chosen).toHaveFocus()
    await expect
      .poll(() => chosen.element().getBoundingClientRect().bottom)
      .toBeLessThanOrEqual(menu.element().getBoundingClientRect().bottom)
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(page.getByRole('menuitemradio').nth(41)).toHaveFocus()
  })

  describe('before the models are loaded', () => {
    async function whileLoading() {
      const sent: string[] = []
      function Page({ choice }: { choice: ModelChoices | null }) {
        const [text, write] = useState('')
        return (
          <Composer
            draft={{ conversation: 'c', text, write, files: NO_FILES }}
            choice={choice}
            disabledReason={choice === null ? '' : null}
            onSend={words => sent.push(words)}
            awaited={null}
          />
        )
      }
      const page = (choice: ModelChoices | null) => (
        <QueryClientProvider client={queryClient}>
          <Kit>
            <Page choice={choice} />
          </Kit>
        </QueryClientProvider>
      )
      const screen = await render(page(null))
      return {
        sent,
        screen,
        field: screen.getByRole('textbox', { name: '问题' }),
        learnModel: () => screen.rerender(page(CHOICE)),
      }
    }

    test('defers what is sent, and sends it once afterwards', async () => {
      const { sent, learnModel, field, screen } = await whileLoading()
      await field.fill('天为什么是蓝的？')
      press(field.element())
      expect(sent).toEqual([])
      await learnModel()
      await expect.element(screen.getByRole('button', { name: '发送' })).toBeEnabled()
      expect(sent).toEqual(['天为什么是蓝的？'])
    })

    test('sends nothing that was changed after the key press', async () => {
      const { sent, learnModel, field, screen } = await whileLoading()
      await field.fill('天为什么')
      press(field.element())
      await field.fill('天为什么是蓝的？')
      await learnModel()
      await expect.element(screen.getByRole('button', { name: '发送' })).toBeEnabled()
      expect(sent).toEqual([])
    })
  })

  test('leaves Enter to an input method that is composing', async () => {
    const { field, sent } = await aComposer()
    await field.fill('nihao')
    press(field.element(), { isComposing: true })
    press(field.element(), { keyCode: 229 })
    expect(sent).toEqual([])
    press(field.element())
    expect(sent).toEqual(['nihao'])
  })

  test('sends nothing that is blank', async () => {
    const { screen, field, sent } = await aComposer()
    await field.fill(' \n ')
    await expect.element(screen.getByTestId('send')).toBeDisabled()
    press(field.element())
    expect(sent).toEqual([])
  })

  test('shows how many questions remain', async () => {
    expect((await aComposer()).screen.container.textContent).toContain('还可问 12 次')
  })

  test('gives the reason why nothing can be sent, and can still be written in', async () => {
    const { screen, field, sent } = await aComposer({ disabledReason: '次数已用完' })
    await field.fill('先写好')
    expect(screen.container.textContent).toContain('次数已用完')
    press(field.element())
    expect(sent).toEqual([])
  })
})

describe('a long text', () => {
  const long = '一段很长的话。'.repeat(60)

  test('may have the whole height, until it is sent', async () => {
    await page.viewport(900, 800)
    const { screen, field, sent } = await aComposer()
    await field.fill('一句话')
    await expect.element(screen.getByTestId('composer-expand')).not.toBeInTheDocument()
    await field.fill(long)
    const before = field.element().clientHeight
    await screen.getByRole('button', { name: '放大输入框' }).click()
    await expect.element(screen.getByRole('button', { name: '缩小输入框' })).toBeVisible()
    expect(field.element().clientHeight).toBeGreaterThan(before)
    await userEvent.keyboard('{Enter}')
    expect(sent).toEqual([long])
    await field.fill('短了')
    await expect.element(screen.getByTestId('composer-expand')).not.toBeInTheDocument()
  })

  test('with files above it leaves them room, at both sizes', async () => {
    await page.viewport(900, 800)
    const { screen, field } = await aComposer({
      files: {
        ...NO_FILES,
        above: (
          <ul>
            {Array.from({ length: 4 }, (_, at) => (
              <li key={at}>{at}.txt</li>
            ))}
          </ul>
        ),
      },
    })
    await field.fill(long)
    const files = screen.getByRole('list').element().getBoundingClientRect()
    const expand = screen.getByTestId('composer-expand')
    expect(expand.element().getBoundingClientRect().top).toBeGreaterThanOrEqual(files.bottom)
    await expand.click()
    await expect.element(expand).toHaveAttribute('aria-expanded', 'true')
    // The window without the header and the rest of the composer; files may take three tenths of it.
    expect(field.element().clientHeight + 0.3 * 800).toBeLessThanOrEqual(800 - 52 - 190)
  })

  test('is small again by Escape', async () => {
    const { screen, field } = await aComposer()
    await field.fill(long)
    await screen.getByTestId('composer-expand').click()
    field.element().focus()
    await userEvent.keyboard('{Escape}')
    await expect.element(screen.getByTestId('composer-expand')).toHaveAttribute('aria-expanded', 'false')
  })

  test('shows how many tokens it has, and when they are too many for the model', async () => {
    const model = {
      source: 'openai_api',
      code: 'gpt_4',
      label: null,
      ...UNKNOWN_CAPABILITIES,
      context_length: 2048,
    } as const
    const { screen, field } = await aComposer({ choice: { ...CHOICE, models: [model] } })
    await field.fill('字'.repeat(500))
    await expect.element(screen.getByTestId('token-hint')).not.toBeInTheDocument()
    await field.fill('字'.repeat(1200))
    await expect.element(screen.getByTestId('token-hint')).toHaveTextContent('约 1,204 / 2,048 token')
    await field.fill('字'.repeat(1700))
    await expect.element(screen.getByTestId('token-hint')).toMatchTextContent(/模型可能读不完/)
  })

  test('shows no maximum where none is known', async () => {
    const { screen, field } = await aComposer()
    await field.fill('字'.repeat(1200))
    await expect.element(screen.getByTestId('token-hint')).toHaveTextContent('约 1,204 token')
  })
})

describe('a question for when it is quiet', () => {
  const TIMES = { until: '2030-01-01T23:00:00.000Z', likely_at: null, waiting: 0, most: 20 }
  const answering = (times: object) =>
    vi.stubGlobal('fetch', (input: unknown) => {
      const result = String(input).includes('/asks/quiet') ? times : { now: TIMES.until, accounts: [] }
      return Promise.resolve(Response.json({ code: 200, message: '', result }))
    })
  afterEach(() => {
    vi.unstubAllGlobals()
    queryClient.clear()
  })

  test('is sent with Alt and Enter', async () => {
    const { field, sent, quiet } = await aComposer()
    await field.fill('慢慢来')
    press(field.element(), { altKey: true })
    await expect.poll(() => quiet).toEqual(['慢慢来'])
    expect(sent).toEqual([])
  })

  test('is sent from the menu at the send button, which says what it costs', async () => {
    answering(TIMES)
    const { screen, field, sent, quiet } = await aComposer()
    await field.fill('慢慢来')
    await screen.getByTestId('send-ways').click()
    await expect.element(page.getByTestId('send-quiet')).toMatchTextContent(/没人等时才答，只算半次/)
    await page.getByTestId('send-quiet').click()
    await expect.poll(() => quiet).toEqual(['慢慢来'])
    expect(sent).toEqual([])
  })

  test('is not offered to somebody of whom as many wait as may', async () => {
    answering({ ...TIMES, waiting: 20 })
    const { screen, field } = await aComposer()
    await field.fill('慢慢来')
    await screen.getByTestId('send-ways').click()
    await expect.element(page.getByTestId('send-quiet')).toMatchTextContent(/已有 20 个问题在等空闲/)
    await expect.element(page.getByTestId('send-quiet')).toHaveAttribute('data-disabled')
  })

  test('is offered by a finger that stays on the send button, which then sends nothing', async () => {
    answering(TIMES)
    const { screen, field, sent } = await aComposer()
    await field.fill('慢慢来')
    const send = screen.getByTestId('send').element()
    send.dispatchEvent(new PointerEvent('pointerdown', { pointerType: 'touch', bubbles: true }))
    await expect.element(page.getByTestId('send-quiet')).toBeVisible()
    send.dispatchEvent(new PointerEvent('pointerup', { pointerType: 'touch', bubbles: true }))
    send.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
    expect(sent).toEqual([])
  })
})
