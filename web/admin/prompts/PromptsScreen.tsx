import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { roughTokens } from '#contract/context.ts'
import type { Prompt } from '#contract/prompts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconPlus } from '#web/kit/icons.ts'
import { promptsQuery } from '#web/prompts/prompts.ts'
import { configurationQuery } from '../configuration/useConfiguration.ts'
import { PageHead } from '../shell/Page.tsx'
import { type Column, DataTable } from '../table/DataTable.tsx'
import { ListLayout } from '../table/ListLayout.tsx'
import type { List } from '../table/useList.ts'
import { useListAddress } from '../table/useListAddress.ts'
import { InstructionsDrawer } from './InstructionsDrawer.tsx'
import { portalInstructions } from './portalInstructions.ts'
import { SharedPromptDrawer } from './SharedPromptDrawer.tsx'
import styles from './prompts.module.css'

/** The list has no filters: only the open entry is kept in the address. */
const NO_FILTERS = z.object({})
/** The `open` of the address for a new prompt, and for the instructions of the portal. */
const [NEW, PORTAL] = ['new', 'portal']

/** What every model is told first, and the prompts that everybody can use. */
export function PromptsScreen() {
  const t = useTranslate()
  const list = usePromptList()
  const { opened, open } = list.address
  const close = () => open(null)
  const prompt = list.rows.find(row => list.keyOf(row) === opened)
  const isForm = opened === NEW || prompt !== undefined
  return (
    <ListLayout
      head={
        <PageHead title={t('admin.prompts')} context={t('sharedPrompts.context')}>
          <Button
            variant="light"
            size="xs"
            leftSection={<IconPlus size={16} aria-hidden />}
            data-testid="add-prompt"
            onClick={() => open(NEW)}
          >
            {t('sharedPrompts.add')}
          </Button>
        </PageHead>
      }
      drawer={
        <>
          {opened === PORTAL && <InstructionsDrawer onClose={close} />}
          {isForm && <SharedPromptDrawer key={opened} prompt={prompt ?? null} onClose={close} />}
        </>
      }
    >
      <PortalRow isOpen={opened === PORTAL} onOpen={() => open(PORTAL)} />
      <DataTable
        label={t('sharedPrompts.table')}
        columns={useColumns()}
        list={list}
        empty={<p>{t('sharedPrompts.none')}</p>}
      />
    </ListLayout>
  )
}

function PortalRow({ isOpen, onOpen }: { isOpen: boolean; onOpen(): void }) {
  const t = useTranslate()
  const { data } = useQuery(configurationQuery)
  const text = data === undefined ? null : portalInstructions(data)
  return (
    <button
      type="button"
      className={styles.portal}
      aria-expanded={isOpen}
      data-testid="portal-instructions"
      onClick={onOpen}
    >
      <b>{t('sharedPrompts.portal')}</b>
      <span>{text ?? t('sharedPrompts.portalNone')}</span>
      <small>{text === null ? '–' : t('sharedPrompts.tokens', { tokens: roughTokens(text) })}</small>
    </button>
  )
}

/** The shared prompts, all of them on one page. */
function usePromptList(): List<Prompt> {
  const address = useListAddress(NO_FILTERS)
  const { data, error, refetch } = useQuery({ ...promptsQuery, meta: { quiet: 'whileEmpty' } })
  const rows = data?.filter(({ is_shared }) => is_shared) ?? []
  return {
    phase: data !== undefined ? 'shown' : error !== null ? 'failed' : 'loading',
    rows,
    total: rows.length,
    outdated: false,
    sorted: { sort: '', order: 'asc' },
    page: { number: 1, size: rows.length, last: 1 },
    address,
    linked: false,
    error,
    keyOf: ({ id }) => String(id),
    reload: () => void refetch(),
  }
}

function useColumns(): Column<Prompt>[] {
  const t = useTranslate()
  return [
    {
      key: 'name',
      title: t('sharedPrompts.name'),
      phone: 'title',
      render: ({ name, is_active }) => (is_active ? name : <span className={styles.off}>{name}</span>),
    },
    {
      key: 'short_name',
      title: t('sharedPrompts.shortName'),
      phone: 'detail',
      render: ({ short_name }) => <code className={styles.short}>/{short_name}</code>,
    },
    {
      key: 'active',
      title: t('sharedPrompts.state'),
      phone: 'state',
      render: ({ is_active }) => t(is_active ? 'sharedPrompts.on' : 'sharedPrompts.off'),
    },
    {
      key: 'uses',
      title: t('sharedPrompts.uses'),
      phone: 'aside',
      render: ({ uses }) => (uses === undefined || uses.count === 0 ? '–' : t('sharedPrompts.usesOf', uses)),
    },
  ]
}
