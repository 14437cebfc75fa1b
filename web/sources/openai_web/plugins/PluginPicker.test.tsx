import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Plugin } from '#contract/plugins.ts'
import { answerCalls, freshDevice, refusal, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { PluginPicker } from './PluginPicker.tsx'

const aPlugin = (id: string, description_for_human: string, upstream_ids = [1]): Plugin => ({
  id,
  namespace: id,
  manifest: { name_for_human: `The ${id}`, description_for_human },
  domain: `${id}.example`,
  status: 'approved',
  user_settings: { is_installed: true },
  upstream_ids,
})
const PLUGINS = [
  aPlugin('maps', 'Finds ways.'),
  aPlugin('wiki', 'Looks things up.'),
  aPlugin('mail', 'Writes letters.'),
  aPlugin('rail', 'Timetables.'),
  aPlugin('other', 'Lives elsewhere.', [2]),
]

function Picker() {
  const [chosen, setChosen] = useState<string[]>([])
  return <PluginPicker chosen={chosen} onChoose={setChosen} />
}

const open = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <Picker />
      </Kit>
    </QueryClientProvider>,
  )

const field = () => page.getByRole('combobox', { name: '插件' })
const option = (name: string) => page.getByRole('option', { name: new RegExp(`^${name}`) })
const chosen = () =>
  page
    .getByTestId('chosen-plugin')
    .elements()
    .map(chip => chip.textContent)

beforeEach(() => {
  freshDevice()
  queryClient.clear()
})

describe('the picker of plugins', () => {
  test('finds plugins, takes three, says of the fourth why not, and of one that no account has beside the others', async () => {
    answerCalls({ 'GET /chat/openai-plugins/installed': success({ items: PLUGINS, count: PLUGINS.length }) })
    await open()
    await field().click()
    await field().fill('letters')
    await option('The mail').click()
    await expect.element(page.getByText('已选 1，最多 3')).toBeVisible()
    await option('The other').click()
    await expect.element(page.getByRole('alert')).toMatchTextContent('这几个插件不在同一个账号上，不能一起用')
    await userEvent.fill(field(), 'maps')
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await option('The wiki').click()
    expect(page.getByRole('alert').elements()).toEqual([])
    await field().click()
    await option('The rail').click()
    await expect.element(page.getByRole('alert')).toMatchTextContent('插件最多选 3 个')
    expect(chosen()).toEqual(['TMThe mail', 'TMThe maps', 'TWThe wiki'])
    await page.getByRole('button', { name: '去掉The mail' }).click()
    await field().click()
    await userEvent.keyboard('{Backspace}')
    expect(chosen()).toEqual(['TMThe maps'])
  })

  test('says that the list could not be read, and reads it again', async () => {
    let fails = true
    answerCalls({
      'GET /chat/openai-plugins/installed': () =>
        fails ? refusal('upstreamTimeout') : success({ items: PLUGINS, count: PLUGINS.length }),
    })
    await open()
    await expect
      .element(page.getByRole('alert').filter({ hasText: /没能取得插件列表.*502 上游太久没有回应/ }))
      .toBeVisible()
    fails = false
    await page.getByRole('button', { name: '重试' }).click()
    await field().click()
    await expect.element(option('The maps')).toBeVisible()
  })
})
