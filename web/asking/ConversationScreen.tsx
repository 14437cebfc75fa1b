import { useMediaQuery } from '@mantine/hooks'
import { type ReactElement, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { QueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { readAllowance } from '#contract/allowance.ts'
import { listConversations, NEW_CONVERSATION } from '#contract/conversations.ts'
import type { Source } from '#contract/models.ts'
import { readPortal, readSharedMeter } from '#contract/status.ts'
import { allowanceQuery, useAllowance } from '#web/users/allowance.ts'
import { useUsageNotices } from '#web/usage/useUsageNotices.ts'
import { groupsOf } from '#web/conversations/groups.ts'
import { OnLinkFollowed } from '#web/conversations/ConversationRow.tsx'
import { meterQuery } from '#web/conversations/sharedMeter/useSharedMeter.ts'
import { Sidebar } from '#web/conversations/Sidebar.tsx'
import { listQuery, useConversations } from '#web/conversations/useConversations.ts'
import { portalQuery } from '#web/foundation/portal.ts'
import { isPreloaded } from '#web/foundation/preloadedAnswers.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { useShortcut } from '#web/foundation/useShortcut.ts'
import type { PlainKey } from '#web/i18n/dictionary.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { useHeaderSlot, usePageTitle } from '#web/kit/pageHead.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { DrawerButton } from '#web/kit/IconButton.tsx'
import type { HeaderConversation } from '#web/sources/source.ts'
import { pageSource } from '#web/sources/list/list.ts'
import { Announcer } from './Announcer.tsx'
import { openConversation } from './asks/asks.ts'
import { focusComposer } from './composer/composerField.ts'
import { ConversationHeader } from './ConversationHeader.tsx'
import { ConversationPane } from './ConversationPane.tsx'
import { type ConversationView, useConversationId, useConversationView } from './conversation/conversationView.ts'
import styles from './screen.module.css'
import { ShowConversationList } from './composer/LimitHead.tsx'
import { useFreshAllowance } from './composer/useLimit.ts'
import { unsavedRecord, useUnsaved } from './drafts/unsaved.ts'
import { useRowStates } from './rowStates.ts'

const SideDrawer = lazyComponent(() => import('#web/kit/SideDrawer.tsx').then(module => module.SideDrawer))
const NewConversation = lazyComponent(() => import('./NewConversation.tsx').then(module => module.NewConversation))

/** Whether the list has its own column beside the conversation; below 1000 px it is a drawer. */
const WIDE = '(min-width: 62.5em)'

/** List, thread and composer. The address says which conversation is open. */
export function ConversationScreen() {
  const t = useTranslate()
  const navigate = useNavigate()
  const { id: addressed = null } = useSearch({ from: '/conversation' })
  const show = useCallback(
    (id: string | null) => void navigate({ to: '/conversation', search: id === null ? {} : { id }, replace: true }),
    [navigate],
  )
  const id = useConversationId(addressed, show)
  const view = useConversationView(id)
  const wide = useMediaQuery(WIDE, false, { getInitialValueInEffect: false })
  const [listOpen, setListOpen] = useState(false)
  const [creating, setCreating] = useState(false)
  const openList = useCallback(() => setListOpen(true), [])
  const closeCreating = useCallback(() => setCreating(false), [])
  const closeList = useCallback(() => setListOpen(false), [])
  useEffect(() => openConversation(id), [id])
  useFreshAllowance()
  useUsageNotices(useAllowance()?.loaded_at)
  useScreenHeader(view, wide ? null : openList)
  const searchInput = useRef<HTMLInputElement>(null)
  useScreenShortcuts({
    open: view.key,
    searchInput,
    onList: openList,
    onNew: () => setCreating(true),
    onShow: next => void navigate({ to: '/conversation', search: { id: next } }),
  })
  const sidebar = (
    <ListOfConversations
      open={view.key}
      searchInput={searchInput}
      onNew={() => {
        closeList()
        setCreating(true)
      }}
    />
  )
  return (
    <div className={wide ? styles.screen : `${styles.screen} ${styles.narrow}`}>
      {wide ? (
        sidebar
      ) : (
        <SideDrawer
          title={t('conversations.list')}
          closeLabel={t('conversations.closeList')}
          opened={listOpen}
          onClose={closeList}
          needed={listOpen}
          onLoadError={closeList}
        >
          <OnLinkFollowed value={closeList}>{sidebar}</OnLinkFollowed>
        </SideDrawer>
      )}
      <ShowConversationList value={wide ? focusFirstRow : openList}>
        <ConversationPane view={view} onShow={show} />
      </ShowConversationList>
      <Announcer conversation_id={id} />
      {creating && <NewConversation onClose={closeCreating} onLoadError={closeCreating} />}
    </div>
  )
}

function focusFirstRow(): void {
  document.querySelector<HTMLElement>('[data-testid=conversation-row] a')?.focus()
}

type ListProps = { open: string; searchInput: RefObject<HTMLInputElement | null>; onNew(): void }

function ListOfConversations({ open, searchInput, onNew }: ListProps) {
  const states = useRowStates()
  const { unsaved } = useUnsaved()
  const record = useMemo(() => unsaved && unsavedRecord(unsaved), [unsaved])
  useAgeNotice()
  return <Sidebar open={open} states={states} unsaved={record} searchInput={searchInput} onNew={onNew} />
}

/** Tells of conversations that will be gone for their age; most people have none. */
function useAgeNotice(): void {
  const { data: records } = useConversations()
  const isAnnounced = records?.some(({ ends, keep }) => ends !== undefined || keep !== undefined) === true
  useEffect(() => {
    if (records === undefined || !isAnnounced) return
    void import('#web/conversations/keeping/ageNotice.ts').then(({ announceOld }) => announceOld(records))
  }, [records, isAnnounced])
}

/** What the header shows while the title is not known. */
const UNTITLED = {
  new: 'conversations.untitled',
  open: 'conversations.untitled',
  loading: 'thread.loading',
  gone: 'thread.notFound',
  failed: 'thread.notLoaded',
} as const satisfies Record<ConversationView['status'], PlainKey>

function useScreenHeader(
  { id, key, status, history, messages, choice }: ConversationView,
  onList: (() => void) | null,
): void {
  const t = useTranslate()
  const unsaved = useUnsaved(({ unsaved }) => (key === NEW_CONVERSATION ? unsaved : null))
  const given = (history?.title ?? unsaved?.title) || null
  const title = given ?? t(UNTITLED[status])
  const source = choice?.source ?? null
  const stored = history === null ? null : id
  const wide = onList === null
  const parts = useSameParts(
    headerParts({ id: stored, fields: unsaved?.fields ?? {}, history, messages }, history ?? unsaved),
  )
  usePageTitle(given)
  useHeaderSlot(
    useMemo(
      () => <ConversationHeader id={stored} title={title} source={source} parts={parts} wide={wide} />,
      [stored, title, source, parts, wide],
    ),
    useMemo(() => onList && <DrawerButton label={t('conversations.openList')} onClick={onList} />, [t, onList]),
  )
}

function headerParts(conversation: HeaderConversation, of: { source: Source } | null): readonly ReactElement[] {
  return of === null ? [] : pageSource(of.source).headerParts(conversation)
}

/** The elements of before while they have the same keys, or each message would fill the header anew. */
function useSameParts(parts: readonly ReactElement[]): readonly ReactElement[] {
  const [before, setBefore] = useState(parts)
  const keys = (all: readonly ReactElement[]) => all.map(({ key }) => key).join()
  if (keys(before) === keys(parts)) return before
  setBefore(parts)
  return parts
}

/** Milliseconds after which the drawer with the search field is on the screen. */
const DRAWN_MS = 80

type ShortcutTargets = {
  /** The key of the conversation that is open. */
  open: string
  searchInput: RefObject<HTMLInputElement | null>
  onList(): void
  onNew(): void
  onShow(id: string): void
}

/** The shortcuts of the conversation screen. Stopping and editing are handled by the components that can do it. */
function useScreenShortcuts({ open, searchInput, onList, onNew, onShow }: ShortcutTargets): void {
  const search = () => {
    if (searchInput.current === null) {
      onList()
      setTimeout(() => searchInput.current?.focus(), DRAWN_MS)
    } else {
      searchInput.current.focus()
      searchInput.current.select()
    }
  }
  const step = (steps: 1 | -1) => {
    const id = neighbourOf(open, steps)
    if (id !== null) onShow(id)
  }
  useShortcut('search', search)
  useShortcut('newConversation', onNew)
  useShortcut('focusComposer', focusComposer)
  useShortcut('previousConversation', () => step(-1))
  useShortcut('nextConversation', () => step(1))
}

/** The stored conversation above or below in the list; a new one stands above all. */
function neighbourOf(open: string, steps: 1 | -1): string | null {
  const records = groupsOf(queryClient.getQueryData(listQuery.queryKey) ?? [], new Date()).flatMap(
    group => group.records,
  )
  const at = open === NEW_CONVERSATION ? -1 : records.findIndex(({ conversation_id }) => conversation_id === open)
  return records[at + steps]?.conversation_id ?? null
}

/**
 * Puts the answers that came with the page into the query cache before the first render, or each would cause another
 * render.
 */
export async function takeFirstAnswers(client: QueryClient): Promise<void> {
  await Promise.all([
    isPreloaded(listConversations) && client.prefetchQuery(listQuery),
    isPreloaded(readSharedMeter) && client.prefetchQuery(meterQuery),
    isPreloaded(readPortal) && client.prefetchQuery(portalQuery),
    isPreloaded(readAllowance) && client.prefetchQuery(allowanceQuery),
  ])
}
