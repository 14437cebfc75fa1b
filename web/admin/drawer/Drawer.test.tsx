import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { useState } from 'react'
import { openAdminScreen } from '#web/admin/openAdminScreen.testing.tsx'
import { RefusedCall } from '#web/foundation/call.ts'
import { REFUSALS } from '#contract/refusals.ts'
import { Conflicts, Drawer } from './Drawer.tsx'
import { DrawerRow, UnitInput } from './rows.tsx'
import { useChanges } from '#web/admin/form/useChanges.ts'

type Limits = { asks: string; conversations: string }

/** What is stored, what was sent, and what somebody else does meanwhile. */
let stored: Limits
let sent: unknown[]
let meanwhile: Partial<Limits>
/** Until it resolves, what is saved is on its way. */
let answered: Promise<void>
/** Of what is stored: refused where the session has ended with the change. */
let reload: () => Promise<Limits>

beforeEach(() => {
  stored = { asks: '500', conversations: '10' }
  sent = []
  meanwhile = {}
  answered = Promise.resolve()
  reload = () => Promise.resolve(stored)
})

/** As the server compares. */
async function save(changed: Partial<Limits>, expected: Partial<Limits>): Promise<void> {
  sent.push({ changed, expected })
  await answered
  stored = { ...stored, ...meanwhile }
  meanwhile = {}
  const names = Object.keys(changed) as (keyof Limits)[] // of an object of that type
  if (names.some(name => stored[name] !== expected[name] && stored[name] !== changed[name]))
    throw new RefusedCall({ code: REFUSALS.changedMeanwhile.code, message: 'errors.changedMeanwhile', result: null })
  stored = { ...stored, ...changed }
}

const SEEN = { asks: '500', conversations: '10' }

function LimitsDrawer() {
  const [seen, setSeen] = useState<Limits>(SEEN)
  const changes = useChanges<Limits>({ stored: seen, save, reload: () => reload() })
  return (
    <Drawer head={{ title: 'Limits' }} saving={changes} onClose={() => undefined}>
      <button type="button" onClick={() => setSeen(stored)}>
        fetch
      </button>
      <Conflicts changes={changes} labelOf={name => name} show={(_name, value) => String(value)} />
      {(['asks', 'conversations'] as const).map(name => (
        <DrawerRow key={name} label={name} changed={changes.isChanged(name)}>
          {id => (
            <UnitInput id={id} value={changes.values[name]} onChange={value => changes.change({ [name]: value })} />
          )}
        </DrawerRow>
      ))}
    </Drawer>
  )
}

describe('changes of a drawer', () => {
  test('are counted, sent alone with what was seen of them, and may be taken back', async () => {
    await openAdminScreen(LimitsDrawer, '/')
    await expect.element(page.getByTestId('save')).toBeDisabled()
    await page.getByLabelText('asks').fill('800')
    await page.getByLabelText('conversations').fill('12')
    await expect.element(page.getByText('2 处改动')).toBeVisible()
    await page.getByLabelText('conversations').fill('10')
    await expect.element(page.getByText('1 处改动')).toBeVisible()
    await page.getByTestId('save').click()
    await expect.element(page.getByText('没有改动')).toBeVisible()
    // Its buttons are disabled now, and Escape is still for the drawer.
    await expect.element(page.getByTestId('drawer')).toHaveFocus()
    expect(sent).toEqual([{ changed: { asks: '800' }, expected: { asks: '500' } }])
    await page.getByLabelText('asks').fill('900')
    await page.getByTestId('discard').click()
    await expect.element(page.getByText('没有改动')).toBeVisible()
  })

  test('that are typed while others are saved stay, of what is stored by then', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    answered = promise
    await openAdminScreen(LimitsDrawer, '/')
    await page.getByLabelText('asks').fill('800')
    await page.getByTestId('save').click()
    await page.getByLabelText('asks').fill('900')
    await page.getByLabelText('conversations').fill('12')
    resolve()
    await expect.element(page.getByTestId('save')).toBeEnabled()
    await page.getByTestId('save').click()
    await expect.element(page.getByText('没有改动')).toBeVisible()
    const both = { changed: { asks: '900', conversations: '12' }, expected: { asks: '800', conversations: '10' } }
    expect(sent.at(-1)).toEqual(both)
    expect(stored).toEqual(both.changed)
  })

  test('that are being saved hold up whoever leaves only until they are', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    answered = promise
    const { router } = await openAdminScreen(LimitsDrawer, '/here')
    await page.getByLabelText('asks').fill('800')
    await page.getByTestId('save').click()
    void router.navigate({ href: '/elsewhere' })
    await expect.element(page.getByRole('dialog')).toBeVisible()
    expect(router.state.location.pathname).toBe('/here')
    resolve()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    await expect.poll(() => router.state.location.pathname).toBe('/elsewhere')
    expect(stored.asks).toBe('800')
  })

  test('that took the rights to read on are stored, and none any more', async () => {
    reload = () =>
      Promise.reject(
        new RefusedCall({ code: REFUSALS.loginExpired.code, message: 'errors.loginExpired', result: null }),
      )
    await openAdminScreen(LimitsDrawer, '/')
    await page.getByLabelText('asks').fill('800')
    await page.getByTestId('save').click()
    await expect.element(page.getByText('没有改动')).toBeVisible()
    expect(stored.asks).toBe('800')
  })

  test('of somebody else are taken over when they are fetched, and no change any more where both are the same', async () => {
    await openAdminScreen(LimitsDrawer, '/')
    await page.getByLabelText('asks').fill('800')
    await page.getByLabelText('conversations').fill('12')
    stored = { asks: '800', conversations: '20' }
    await page.getByRole('button', { name: 'fetch' }).click()
    await expect.element(page.getByRole('status').getByText('1 处别人也改了')).toBeVisible()
    await page.getByRole('button', { name: '用现在的' }).click()
    await expect.element(page.getByText('没有改动')).toBeVisible()
    await expect.element(page.getByLabelText('conversations')).toHaveValue('20')
    await expect.element(page.getByLabelText('asks')).toHaveValue('800')
    expect(sent).toEqual([])
  })

  test('that somebody else made too are shown beside mine, and neither is lost', async () => {
    meanwhile = { asks: '700', conversations: '20' }
    await openAdminScreen(LimitsDrawer, '/')
    await page.getByLabelText('asks').fill('800')
    await page.getByTestId('save').click()
    const conflicts = page.getByTestId('conflicts')
    await expect.element(conflicts.getByText('800')).toBeVisible()
    await expect.element(conflicts.getByText('700')).toBeVisible()
    await expect.element(page.getByTestId('save')).toBeDisabled()
    await expect.element(page.getByRole('status').getByText('1 处别人也改了')).toBeVisible()
    await page.getByRole('button', { name: '用我的' }).click()
    // The button is gone, and the focus is not.
    await expect.element(page.getByTestId('drawer')).toHaveFocus()
    await page.getByTestId('save').click()
    await expect.element(page.getByText('没有改动')).toBeVisible()
    expect(sent.at(-1)).toEqual({ changed: { asks: '800' }, expected: { asks: '700' } })
    expect(stored).toEqual({ asks: '800', conversations: '20' })
  })
})
