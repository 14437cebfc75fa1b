import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Replay } from '#contract/lending.ts'
import { answerCalls, freshDevice, success } from '#web/foundation/api.testing.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { loadAdminTexts, loadTexts } from '#web/i18n/useTranslate.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { WeightPreview } from './WeightPreview.tsx'

beforeEach(async () => {
  freshDevice()
  queryClient.clear()
  await Promise.all([loadAdminTexts(), loadTexts('lending')])
})

const tally = (answered: number, refused: number) => ({ answered, borrowed: 0, refused })
const replay = (fields: Partial<Replay> = {}): Replay => ({
  from: '2026-11-01T00:00:00Z',
  until: '2026-12-01T00:00:00Z',
  asks: 412,
  met: 20,
  before: tally(392, 20),
  after: tally(406, 6),
  people: [
    { user: { id: 2, username: 'lin', nickname: '林' }, before: tally(10, 9), after: tally(13, 6) },
    { user: { id: 3, username: 'kim', nickname: '金' }, before: tally(50, 0), after: tally(48, 2) },
  ],
  ...fields,
})

async function open(accounts: Replay[]) {
  const made = answerCalls({
    'POST /plan/2/replay': success(
      accounts.map((each, at) => ({ upstream_id: at + 1, label: '主账号', replay: each })),
    ),
  })
  await render(
    <Kit>
      <QueryClientProvider client={queryClient}>
        <WeightPreview plan_id={2} changes={{ share_weight: 3 }} />
      </QueryClientProvider>
    </Kit>,
  )
  return made
}

const preview = page.getByTestId('weight-preview')

describe('what another weight would have made of the last month', () => {
  test('is said in refusals and by people, and that it is a replay', async () => {
    const made = await open([replay()])
    await expect.element(preview).toMatchTextContent(/主账号 少拒绝 14 次/)
    await expect.element(preview).toMatchTextContent(/林 \+3 次，金 −2 次/)
    await expect.element(preview).toMatchTextContent(/共 412 次提问/)
    await expect.element(preview).toMatchTextContent(/不是预测/)
    expect(made).toMatchObject([{ call: 'POST /plan/2/replay', body: { share_weight: 3 } }])
  })
  test('may be worse, or the same', async () => {
    await open([replay({ after: tally(390, 22), people: [] }), replay({ after: tally(392, 20), people: [] })])
    await expect.element(preview).toMatchTextContent(/多拒绝 2 次/)
    await expect.element(preview).toMatchTextContent(/被拒绝的一样多：20 次/)
  })
  test('is nothing where no account has shares', async () => {
    await open([])
    await expect.element(preview).toMatchTextContent(/没有按份额分的账号/)
  })
})
