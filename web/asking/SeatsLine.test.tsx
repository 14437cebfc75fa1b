import { afterEach, describe, expect, test, vi } from 'vitest'
import type { SourceAllowance } from '#contract/allowance.ts'
import type { AccountMeter } from '#contract/status.ts'
import { aModel, anAllowance, refusedBy } from '#web/accounts/allowance.testing.ts'
import { aLine, anAccount } from '#web/conversations/sharedMeter/builders.testing.ts'
import { openTestPortal, PERSON } from './portal.testing.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** The empty conversation of somebody with this allowance, while the shared account is like this. */
async function anArrival(
  meter: Partial<AccountMeter> | AccountMeter[],
  allowance: Partial<SourceAllowance> = {},
  person = PERSON,
) {
  const { screen } = await openTestPortal(
    {
      'GET /user/me/allowance': anAllowance(allowance),
      'GET /status/meter': {
        now: new Date().toISOString(),
        accounts: Array.isArray(meter) ? meter : [anAccount({ source: 'openai_api', ...meter })],
      },
    },
    '/conversation',
    person,
  )
  await expect.element(screen.getByTestId('shared-meter').first()).toBeVisible()
  return { screen, seats: screen.getByTestId('seats') }
}

describe('the line about the seats', () => {
  test('says that they are free', async () => {
    const { seats } = await anArrival({})
    await expect.element(seats).toHaveTextContent('位子空着，现在问不用排队')
  })
  test('says how long the line is', async () => {
    const { seats } = await anArrival(aLine(1, 2))
    await expect.element(seats).toHaveTextContent('现在有 2 人在等')
  })
  test('speaks of the account that is asked next', async () => {
    const busy = anAccount({ source: 'openai_api', ...aLine(1, 2) })
    const { seats } = await anArrival([busy, anAccount({ source: 'openai_api', upstream_id: 3 })])
    await expect.element(seats).toHaveTextContent('位子空着，现在问不用排队')
  })
  test('is silent while the account is paused', async () => {
    const { seats } = await anArrival({ paused: true })
    await expect.element(seats).toBeEmptyDOMElement()
  })
  test('is silent while the shared account is full', async () => {
    const { seats } = await anArrival({ used: 57 })
    await expect.element(seats).toBeEmptyDOMElement()
  })
  test('leaves it to a limit of one’s own', async () => {
    const used = refusedBy('noAvailableTotalAskCount')
    const { screen, seats } = await anArrival(
      {},
      { new_conversation: used, models: ['gpt_3_5', 'gpt_4', 'llama'].map(model => aModel(model, used)) },
    )
    await expect.element(screen.getByTestId('limit-head')).toBeVisible()
    await expect.element(seats).toBeEmptyDOMElement()
  })
  test('promises nothing without a network', async () => {
    const { seats } = await anArrival({})
    await expect.element(seats).toHaveTextContent('位子空着，现在问不用排队')
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    window.dispatchEvent(new Event('offline'))
    await expect.element(seats).toBeEmptyDOMElement()
    vi.restoreAllMocks()
    window.dispatchEvent(new Event('online'))
    await expect.element(seats).toHaveTextContent('位子空着，现在问不用排队')
  })
  test('promises nothing to whom no source is open', async () => {
    const { setting } = PERSON
    const { seats } = await anArrival(
      {},
      {},
      { ...PERSON, setting: { ...setting, openai_api: { ...setting.openai_api, allow_to_use: false } } },
    )
    await expect.element(seats).toBeEmptyDOMElement()
  })
})
