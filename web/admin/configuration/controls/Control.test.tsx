import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { queryClient } from '#web/foundation/queryClient.ts'
import { loadAdminTexts } from '#web/i18n/useTranslate.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { ROWS } from '../settings/rows.ts'
import { Control } from './Control.tsx'

beforeAll(loadAdminTexts)

describe('the control of a number', () => {
  test('shows it in the largest unit in which it is whole, and gives it in the unit of the contract', async () => {
    const { onChange } = await shown('data.max_file_upload_size', 104_857_600)
    const [field, unit] = [page.getByRole('textbox'), page.getByRole('combobox', { name: '文件最大多少的单位' })]
    await expect.element(field).toHaveValue('100')
    await expect.element(unit).toHaveValue('megabytes')
    await field.fill('1.5')
    expect(onChange).toHaveBeenLastCalledWith(1_572_864)
    await expect.element(field).toHaveValue('1.5')
    await unit.selectOptions('gigabytes')
    expect(onChange).toHaveBeenLastCalledWith(1_610_612_736)
  })
  test.each([
    ['new_users.total_ask_count', 5, -1],
    ['openai_api.shared_limit', 5, null],
    ['asking.max_queue_length', 5, ''],
  ])('that is blank means what the contract has for it: %s', async (path, value, blank) => {
    const { onChange } = await shown(path, value)
    await page.getByRole('textbox').fill('')
    expect(onChange).toHaveBeenLastCalledWith(blank)
  })
  test.each(['abc', '1,5', '1e9', '0.00001', '99999999999999999999'])(
    'gives what is none as it is: %s',
    async typed => {
      const { onChange } = await shown('asking.max_queue_length', 5)
      await page.getByRole('textbox').fill(typed)
      expect(onChange).toHaveBeenLastCalledWith(typed)
      await expect.element(page.getByRole('textbox')).toHaveValue(typed)
    },
  )
})

describe('the control of a list of models', () => {
  test('removes one, and adds each with Enter once', async () => {
    const { onChange } = await shown('openai_api.enabled_models', ['gpt_3_5', 'gpt_4'])
    await page.getByRole('button', { name: '移除 GPT-3.5' }).click()
    expect(onChange).toHaveBeenLastCalledWith(['gpt_4'])
    await page.getByRole('button', { name: '添加' }).click()
    await userEvent.keyboard('o9{Enter}gpt_4{Enter}qwen2.5:7b{Escape}')
    expect(onChange).toHaveBeenLastCalledWith(['gpt_4', 'o9'])
    await expect.element(page.getByText('qwen')).not.toBeInTheDocument()
  })
})

describe('the control of a mapping', () => {
  test('gives its rows where a code stands twice, and the mapping as soon as it does not', async () => {
    const { onChange } = await shown('openai_api.model_code_mapping', { gpt_4: 'gpt-4' })
    await page.getByRole('button', { name: '添加' }).click()
    expect(onChange).toHaveBeenLastCalledWith({ gpt_4: 'gpt-4', '': '' })
    const code = page.getByRole('textbox', { name: '代码' }).last()
    await code.fill('gpt_4')
    expect(onChange).toHaveBeenLastCalledWith([
      ['gpt_4', 'gpt-4'],
      ['gpt_4', ''],
    ])
    await code.fill('o9')
    expect(onChange).toHaveBeenLastCalledWith({ gpt_4: 'gpt-4', o9: '' })
    await page.getByRole('button', { name: '移除 GPT-4' }).click()
    expect(onChange).toHaveBeenLastCalledWith({ o9: '' })
  })
})

describe('the control of time slots', () => {
  test('takes times as people write them', async () => {
    const { onChange } = await shown('new_users.daily_available_time_slots', [
      { start_time: '08:00:00', end_time: '23:59:59' },
    ])
    await expect.element(page.getByLabelText('到')).toHaveValue('24:00')
    await page.getByLabelText('从').fill('9:30')
    expect(onChange).toHaveBeenLastCalledWith([{ start_time: '09:30:00', end_time: '23:59:59' }])
    await expect.element(page.getByLabelText('从')).toHaveValue('9:30')
  })
})

async function shown(path: string, value: unknown) {
  const onChange = vi.fn<(value: unknown) => void>()
  await render(
    <Kit>
      <QueryClientProvider client={queryClient}>
        <Held path={path} first={value} onChange={onChange} />
      </QueryClientProvider>
    </Kit>,
  )
  return { onChange }
}

/** Keeps the value as the form does. */
function Held({ path, first, onChange }: { path: string; first: unknown; onChange(value: unknown): void }) {
  const [value, setValue] = useState(first)
  const row = ROWS.find(each => each.path === path)
  if (row === undefined) throw new Error(path)
  return (
    <Control
      path={path}
      shape={row.shape}
      value={value}
      invalid={false}
      onChange={next => {
        onChange(next)
        setValue(next)
      }}
    />
  )
}
