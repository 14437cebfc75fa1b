import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import * as z from 'zod/mini'
import { nothing } from '#contract/call.ts'
import { pageOf, paging } from '#contract/paging.ts'
import { Drawer } from '#web/admin/drawer/Drawer.tsx'
import { openAdminScreen } from '#web/admin/openAdminScreen.testing.tsx'
import { answerCalls, refusal, type MadeCall, success } from '#web/foundation/api.testing.ts'
import { type Column, DataTable, useSelection } from './DataTable.tsx'
import { FilterBar } from './FilterBar.tsx'
import { ListLayout } from './ListLayout.tsx'
import { Pager, pagesShown } from './Pager.tsx'
import { useList } from './useList.ts'

const Plant = z.object({ id: z.int(), name: z.string(), height: z.int() })
const listPlants = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/plants',
  summary: 'Plants.',
  query: z.object({
    ...paging,
    sort: z.optional(z.enum(['name', 'height'])),
    kind: z.optional(z.enum(['tree', 'herb'])),
  }),
  result: pageOf(Plant),
} as const

const COLUMNS: Column<z.infer<typeof Plant>>[] = [
  { key: 'name', title: 'Name', render: ({ name }) => name, sortable: 'asc', grow: true, phone: 'title' },
  { key: 'height', title: 'Height', render: ({ height }) => height, sortable: 'desc', align: 'right', phone: 'state' },
]
const KINDS = [
  { value: 'tree', label: 'Trees' },
  { value: 'herb', label: 'Herbs' },
]

function Plants() {
  const list = useList(listPlants, { keyOf: ({ id }) => String(id), sorted: { sort: 'name', order: 'asc' } })
  const selection = useSelection()
  return (
    <ListLayout
      head={
        <FilterBar
          address={list.address}
          search="Name of a plant"
          filters={[{ name: 'kind', label: 'Kind', options: KINDS }]}
          count={`${selection.keys.size} selected`}
        />
      }
      foot={<Pager list={list} />}
      drawer={
        list.address.opened !== null && (
          <Drawer head={{ title: `Plant ${list.address.opened}` }} onClose={() => list.address.open(null)}>
            about it
          </Drawer>
        )
      }
    >
      <DataTable label="Plants" columns={COLUMNS} list={list} selection={selection} empty="No plants yet" />
    </ListLayout>
  )
}

let made: MadeCall[] = []
const rows = [1, 2, 3].map(id => ({ id, name: `Plant no. ${id}`, height: id * 10 }))
const lastQuery = () => Object.fromEntries(made.at(-1)?.query ?? [])

beforeEach(async () => {
  made = answerCalls({
    'GET /plants': ({ query }) =>
      success(query.get('words') === 'moss' ? { rows: [], total: 0 } : { rows, total: 203 }),
  })
  await page.viewport(1200, 800)
})

describe('a list of the admin area', () => {
  test('asks for what its address says, and leaves out what is no part of the call', async () => {
    await openAdminScreen(Plants, '/?page=2&size=20&sort=height&order=desc&kind=tree&sneaky=1&words=%20')
    await expect.element(page.getByText('Plant no. 2')).toBeVisible()
    expect(lastQuery()).toEqual({ page: '2', size: '20', sort: 'height', order: 'desc', kind: 'tree' })
    await expect.element(page.getByText('21–23 / 203')).toBeVisible()
    await expect.element(page.getByRole('columnheader', { name: 'Height' })).toHaveAttribute('aria-sort', 'descending')
    await expect.element(page.getByRole('button', { name: 'Kind：Trees' })).toBeVisible()
  })

  test('says why it could not be read, and reads it again', async () => {
    let calls = 0
    made = answerCalls({
      'GET /plants': () => (++calls === 1 ? refusal('databaseUnreachable') : success({ rows, total: 3 })),
    })
    await openAdminScreen(Plants, '/')
    await expect.element(page.getByRole('alert')).toMatchTextContent(/没有读到.*-1 服务器暂时连不上数据库/)
    await page.getByRole('button', { name: '重试' }).click()
    await expect.element(page.getByText('Plant no. 2')).toBeVisible()
  })

  test('begins with its first page when sorted, filtered or searched, and keeps all of it in the address', async () => {
    const { router } = await openAdminScreen(Plants, '/?page=3')
    await page.getByRole('button', { name: 'Height' }).click()
    await expect.poll(lastQuery).toEqual({ sort: 'height', order: 'desc' })
    await page.getByRole('button', { name: 'Kind' }).click()
    await page.getByRole('menuitemradio', { name: 'Herbs' }).click()
    await expect.poll(lastQuery).toEqual({ sort: 'height', order: 'desc', kind: 'herb' })
    await page.getByLabelText('Name of a plant').fill('moss')
    await expect.element(page.getByText('没有找到“moss”')).toBeVisible()
    expect(router.state.location.search).toEqual({ sort: 'height', order: 'desc', kind: 'herb', words: 'moss' })
    await page.getByRole('button', { name: '清除条件，看全部' }).click()
    await expect.element(page.getByText('Plant no. 1')).toBeVisible()
    await expect.element(page.getByLabelText('Name of a plant')).toHaveValue('')
    expect(router.state.location.search).toEqual({ sort: 'height', order: 'desc' })
  })

  test('opens a row beside it, and follows the arrow keys', async () => {
    const { router } = await openAdminScreen(Plants, '/')
    await page.getByRole('button', { name: 'Plant no. 1' }).click()
    await expect.element(page.getByTestId('drawer')).toHaveAccessibleName('Plant 1')
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(page.getByTestId('drawer')).toHaveAccessibleName('Plant 2')
    await expect.element(page.getByRole('button', { name: 'Plant no. 2' })).toHaveFocus()
    expect(router.state.location.search).toEqual({ open: '2' })
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByTestId('drawer')).not.toBeInTheDocument()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByTestId('drawer')).toBeVisible()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByTestId('drawer')).toHaveFocus()
    await userEvent.keyboard('{Tab}{Enter}')
    await expect.element(page.getByTestId('drawer')).not.toBeInTheDocument()
    await expect.element(page.getByRole('button', { name: 'Plant no. 2' })).toHaveFocus()
  })

  test('ticks the rows of the page at once, or some of them', async () => {
    await openAdminScreen(Plants, '/')
    const all = page.getByRole('checkbox', { name: '选中这一页' })
    await page.getByRole('checkbox', { name: '选中这一行' }).nth(1).click()
    await expect.element(page.getByText('1 selected')).toBeVisible()
    expect(await all.element()).toMatchObject({ indeterminate: true, checked: false })
    await all.click()
    await expect.element(page.getByText('3 selected')).toBeVisible()
    await all.click()
    await expect.element(page.getByText('0 selected')).toBeVisible()
  })

  test('has two lines a row where it is narrow', async () => {
    await page.viewport(390, 800)
    await openAdminScreen(Plants, '/')
    await expect.element(page.getByText('Plant no. 1')).toBeVisible()
    await expect.element(page.getByRole('columnheader', { name: 'Name' })).not.toBeInTheDocument()
    // What is left of the head: the box for the whole page, with its label.
    await page.getByText('选中这一页').click()
    await expect.element(page.getByText('3 selected')).toBeVisible()
  })
})

describe('the pages at the foot', () => {
  test('are always as many, so that nothing moves', () => {
    expect(pagesShown(1, 3)).toEqual([1, 2, 3])
    expect([1, 4, 5, 500, 1002, 1005].map(number => pagesShown(number, 1005))).toEqual([
      [1, 2, 3, 4, 5, null, 1005],
      [1, 2, 3, 4, 5, null, 1005],
      [1, null, 4, 5, 6, null, 1005],
      [1, null, 499, 500, 501, null, 1005],
      [1, null, 1001, 1002, 1003, 1004, 1005],
      [1, null, 1001, 1002, 1003, 1004, 1005],
    ])
  })
})
