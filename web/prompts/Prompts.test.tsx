import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Prompt } from '#contract/prompts.ts'
import { answerCalls, freshDevice, type MadeCall, refusal, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { DialogHost } from '#web/kit/DialogHost.tsx'
import { Kit } from '#web/kit/Kit.tsx'
import { aPrompt } from './builders.testing.ts'
import { usePromptSlot } from './promptSlot.tsx'
import { useInsertedPrompts } from './promptState.ts'

const LETTER = aPrompt()
const REPAIR = aPrompt({
  id: 2,
  name: '物业报修信',
  short_name: '报修信',
  text: '[地址]的[什么]坏了[几天]。',
  is_shared: true,
  blanks: { 地址: { value: '1402', is_required: true }, 几天: { value: '', is_required: false } },
})

/** Stands in for the composer: Enter sends what may be sent. */
function Writing({ onSend }: { onSend(text: string): void }) {
  const [text, write] = useState('')
  const prompts = usePromptSlot({ conversation: 'c', text, write })
  return (
    <form style={{ position: 'fixed', inset: 'auto 0 0' }} onSubmit={event => event.preventDefault()}>
      {prompts.menu}
      <textarea
        aria-label="问题"
        value={text}
        onChange={event => write(event.currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter' && !prompts.holds) onSend(prompts.finish(text))
        }}
      />
      <p data-testid="hint" data-holds={prompts.holds}>
        {prompts.hint}
      </p>
      <button type="button">后面</button>
    </form>
  )
}

async function write(prompts: readonly Prompt[] | 'refused', answers: Parameters<typeof answerCalls>[0] = {}) {
  const sent: string[] = []
  const made = answerCalls({
    'GET /prompt': prompts === 'refused' ? refusal('internal') : success(prompts),
    'POST /prompt/2/use': success(null),
    ...answers,
  })
  await render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <Writing onSend={text => sent.push(text)} />
        <DialogHost />
      </Kit>
    </QueryClientProvider>,
  )
  const field = page.getByRole('textbox', { name: '问题' })
  await field.click()
  const selected = () => {
    const { value, selectionStart, selectionEnd } = field.element() as HTMLTextAreaElement
    return value.slice(selectionStart, selectionEnd)
  }
  return { sent, made, field, selected }
}

const menu = page.getByTestId('prompt-menu')
const options = page.getByRole('option')
const called = (made: readonly MadeCall[], name: string) => made.filter(({ call }) => call === name)

beforeEach(() => {
  freshDevice()
  queryClient.clear()
  useInsertedPrompts.setState({}, true)
})

describe('a slash at the start of a line', () => {
  test('opens one’s own prompts, then everybody’s', async () => {
    await write([REPAIR, LETTER])
    await userEvent.keyboard('/')
    await expect.element(options.nth(0)).toMatchTextContent(/写一封客气的信.*\/信/)
    await expect.element(options.nth(1)).toMatchTextContent(/物业报修信/)
    await expect.element(options.nth(2)).toMatchTextContent('把现在写的存成常用')
    await expect.element(options.nth(0)).toHaveAttribute('aria-selected', 'true')
  })
  test('finds by what is typed, marks it, and Enter puts the prompt in', async () => {
    const { field, sent, selected } = await write([REPAIR, LETTER])
    await userEvent.keyboard('你好{Enter}')
    await userEvent.keyboard('/报')
    await expect.element(options.first()).toMatchTextContent(/物业报修信/)
    expect(menu.element().querySelectorAll('mark')[0]?.textContent).toBe('报')
    await userEvent.keyboard('{Enter}')
    await expect.element(field).toHaveValue('你好\n1402的[什么]坏了[几天]。')
    expect([selected(), sent]).toEqual(['[什么]', ['你好']])
    await expect.element(menu).not.toBeInTheDocument()
  })
  test('is chosen by arrows and Tab, or by a press that leaves the focus in the field', async () => {
    const { field } = await write([LETTER, REPAIR])
    await userEvent.keyboard('/')
    await expect.element(options.nth(1)).toBeVisible()
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(options.nth(1)).toHaveAttribute('aria-selected', 'true')
    await userEvent.keyboard('{Tab}')
    await expect.element(field).toHaveValue('1402的[什么]坏了[几天]。')
    await userEvent.fill(field, '/')
    await options.nth(0).click()
    await expect.element(field).toHaveValue(LETTER.text)
    await expect.element(field).toHaveFocus()
  })
  test('is put away by Escape until another one is typed', async () => {
    await write([LETTER])
    await userEvent.keyboard('/')
    await expect.element(menu).toBeVisible()
    await userEvent.keyboard('{Escape}信')
    await expect.element(menu).not.toBeInTheDocument()
    await userEvent.keyboard('{Enter}/')
    await expect.element(menu).toBeVisible()
  })
  test('of what nothing is called like is sent as it is', async () => {
    const { sent } = await write([LETTER])
    await userEvent.keyboard('/etc')
    await expect.element(menu).toMatchTextContent(/没有叫这个的/)
    await userEvent.keyboard('/')
    await expect.element(menu).not.toBeInTheDocument()
    await expect.element(page.getByTestId('hint')).toHaveAttribute('data-holds', 'false')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => sent).toEqual(['/etc/'])
  })
  test('says why there is none', async () => {
    await write('refused')
    await userEvent.keyboard('/')
    await expect.element(menu).toMatchTextContent(/出错/)
  })
  test('leaves keys to an input method', async () => {
    const { field } = await write([LETTER])
    await userEvent.keyboard('/')
    await expect.element(menu).toBeVisible()
    const stroke = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, isComposing: true })
    field.element().dispatchEvent(stroke)
    expect(stroke.defaultPrevented).toBe(false)
    await expect.element(field).toHaveValue('/')
  })
})

describe('the blanks of a prompt', () => {
  test('are gone through by Tab, filled in by typing, and keep the question until then', async () => {
    const { field, sent, selected } = await write([LETTER])
    await userEvent.keyboard('/')
    await expect.element(options.first()).toBeVisible()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByTestId('hint')).toMatchTextContent('还有 2 处没填，Tab 到下一处')
    await userEvent.keyboard('{Tab}')
    expect(selected()).toBe('[事情]')
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
    expect(selected()).toBe('[收信人]')
    await userEvent.keyboard('张经理')
    await expect.element(page.getByTestId('hint')).toMatchTextContent(/还有 1 处/)
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    expect(sent).toEqual([])
    await userEvent.keyboard('{Tab}漏水')
    await expect.element(field).toHaveValue('给张经理写一封信，说漏水，语气客气但坚决。')
    await expect.element(page.getByTestId('hint')).toMatchTextContent(/^$/)
    await userEvent.keyboard('{Enter}')
    expect(sent).toEqual(['给张经理写一封信，说漏水，语气客气但坚决。'])
  })
  test('that need not be filled in are left out, and a shared prompt is counted when it is sent', async () => {
    const { sent, made } = await write([REPAIR])
    await userEvent.keyboard('/')
    await expect.element(options.first()).toBeVisible()
    await userEvent.keyboard('{Enter}水管')
    await expect.element(page.getByTestId('hint')).toMatchTextContent(/还有 1 处可不填/)
    expect(called(made, 'POST /prompt/2/use')).toEqual([])
    await userEvent.keyboard('{Enter}')
    expect([sent, called(made, 'POST /prompt/2/use').length]).toEqual([['1402的水管坏了。'], 1])
  })
  test('let Tab go on at the last one', async () => {
    await write([LETTER])
    await userEvent.keyboard('/')
    await expect.element(options.first()).toBeVisible()
    await userEvent.keyboard('{Enter}{Tab}{Tab}')
    await expect.element(page.getByRole('button', { name: '后面' })).toHaveFocus()
  })
  test('keep the question in the render in which they are put in, and still after the page has been loaded again', async () => {
    const { field } = await write([LETTER])
    await userEvent.keyboard('/')
    await expect.element(options.first()).toBeVisible()
    await expect.element(page.getByTestId('hint')).toMatchTextContent(/Enter 放进来/)
    const seen: (string | undefined)[] = []
    const hint = page.getByTestId('hint').element() as HTMLElement
    const watch = new MutationObserver(() => seen.push(hint.dataset['holds']))
    watch.observe(hint, { attributes: true, childList: true, subtree: true })
    await userEvent.keyboard('{Enter}')
    await expect.element(field).toHaveValue(LETTER.text)
    await expect.element(page.getByTestId('hint')).toMatchTextContent(/还有 2 处/)
    expect(seen[0]).toBe('true')
    const kept = sessionStorage.getItem('prompts.inserted')
    expect(JSON.parse(kept ?? '')).toEqual({ c: { shared: [], required: ['收信人', '事情'], optional: [] } })
  })
  test('are selected by a press', async () => {
    const { field, selected } = await write([LETTER])
    await userEvent.keyboard('/')
    await expect.element(options.first()).toBeVisible()
    await userEvent.keyboard('{Enter}')
    const area = field.element() as HTMLTextAreaElement
    area.setSelectionRange(area.value.indexOf('事情') + 1, area.value.indexOf('事情') + 1)
    area.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    expect(selected()).toBe('[事情]')
  })
})

describe('what is written', () => {
  test('is kept as a prompt, with words for what is wrong', async () => {
    const { field, made } = await write([], {
      'POST /prompt': ({ body }) => success({ ...aPrompt(), ...(body as object), id: 9 }),
    })
    await userEvent.fill(field, '给[谁]写信\n/')
    await page.getByRole('option', { name: '把现在写的存成常用' }).click()
    await expect.element(page.getByTestId('prompt-text')).toHaveValue('给[谁]写信')
    await page.getByRole('textbox', { name: '名字' }).fill('信')
    await page.getByRole('textbox', { name: '短名' }).fill('a b')
    await page.getByRole('button', { name: '存起来' }).click()
    await expect.element(page.getByText(/中间没有空格/)).toBeVisible()
    await page.getByRole('textbox', { name: '短名' }).fill('xin')
    await page.getByRole('button', { name: '存起来' }).click()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    expect(called(made, 'POST /prompt')[0]?.body).toEqual({ name: '信', short_name: 'xin', text: '给[谁]写信' })
  })
  test('before can be changed and removed', async () => {
    const { made } = await write([LETTER, REPAIR], {
      'PATCH /prompt/1': success({ ...LETTER, name: '信二' }),
      'DELETE /prompt/1': success(null),
    })
    await userEvent.keyboard('/')
    await page.getByRole('option', { name: '管理我的常用' }).click()
    await expect.element(page.getByTestId('own-prompts').getByRole('listitem')).toHaveLength(1)
    await page.getByRole('button', { name: '改“写一封客气的信”' }).click()
    await page.getByRole('textbox', { name: '名字' }).fill('信二')
    await page.getByRole('button', { name: '存起来' }).click()
    await expect.element(page.getByTestId('own-prompts')).toBeVisible()
    expect(called(made, 'PATCH /prompt/1')[0]?.body).toMatchObject({ name: '信二' })
  })
  test('and not saved is left only when the person wants that', async () => {
    await write([LETTER])
    await userEvent.keyboard('/')
    await page.getByRole('option', { name: '管理我的常用' }).click()
    await page.getByRole('button', { name: '改“写一封客气的信”' }).click()
    await page.getByRole('textbox', { name: '名字' }).fill('信二')
    await page.getByRole('button', { name: '取消' }).click()
    await expect.element(page.getByText('写的还没存，要放弃吗？')).toBeVisible()
    await page.getByRole('button', { name: '放弃' }).click()
    await expect.element(page.getByTestId('own-prompts')).toBeVisible()
  })
})
