import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { QueryClientProvider } from '@tanstack/react-query'
import { answerCalls, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import { Kit } from '#web/kit/Kit.tsx'
import type { QuestionDraft } from '#web/sources/source.ts'
import { aModel } from './builders.testing.ts'
import { ModelMenu } from './ModelMenu.tsx'

beforeEach(() => loadTexts('attachments'))

async function openMenu(models: QuestionDraft['models']) {
  answerCalls({ 'GET /status/portal': success(null) })
  const draft: QuestionDraft = {
    ...{ conversation: 'c', text: '', source: 'openai_api', model: models[0]?.code ?? '', models, messages: [] },
    ...{ bounds: { max_attachments: 3, max_file_bytes: 1_000, max_picture_side: 2_048 } },
    write: () => {},
    choose: () => {},
  }
  await render(
    <QueryClientProvider client={queryClient}>
      <Kit>
        <ModelMenu label="模型" className={undefined} draft={draft}>
          模型
        </ModelMenu>
      </Kit>
    </QueryClientProvider>,
  )
}

describe('the menu of models', () => {
  test('says what they cost where the portal knows it, and a dash where it does not', async () => {
    const price = { input: 0.15, output: 0.6, currency: 'EUR' }
    await openMenu([aModel({ code: 'small', price }), aModel({ code: 'large' })])
    await expect.element(page.getByText('0.15 / 0.6')).toBeVisible()
    await expect.element(page.getByText('每百万 token 输入 0.15，输出 0.6 EUR')).toBeInTheDocument()
    const shown = page.getByTestId('model-price').elements()
    expect(shown.map(each => each.firstChild?.textContent)).toEqual(['0.15 / 0.6', '–'])
  })
  test('has no column of prices where nobody knows one', async () => {
    await openMenu([aModel({ code: 'small' })])
    await expect.element(page.getByRole('menuitemradio')).toBeVisible()
    expect(page.getByTestId('model-price').elements()).toEqual([])
  })
})
