import { useMediaQuery } from '@mantine/hooks'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { NEW_CONVERSATION } from '#contract/conversations.ts'
import { OnLinkFollowed } from '#web/conversations/ConversationLink.tsx'
import { Sidebar } from '#web/conversations/Sidebar.tsx'
import type { PlainKey } from '#web/i18n/dictionary.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { useHeaderSlot, usePageTitle } from '#web/kit/pageHead.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { DrawerButton } from '#web/kit/IconButton.tsx'
import { Announcer } from './Announcer.tsx'
import { openConversation } from './asks.ts'
import { ConversationHeader } from './ConversationHeader.tsx'
import { DeskView } from './DeskView.tsx'
import styles from './screen.module.css'
import { ShowConversationList } from './composer/LimitHead.tsx'
import { useFreshAllowance } from './composer/useLimit.ts'
import { unsavedRecord, useUnsaved } from './drafts/unsaved.ts'
import { useArriving } from './useAsk.ts'
import { type Desk, useDesk } from './useDesk.ts'
import { useRowStates } from './useRowStates.ts'
import { useScreenShortcuts } from './useScreenShortcuts.ts'

/** Exported here so that it is in the same chunk, for the route. */
export { takeFirstAnswers } from './firstAnswers.ts'

const SideDrawer = lazyComponent(() => import('#web/kit/SideDrawer.tsx').then(module => module.SideDrawer))
const NewConversation = lazyComponent(() => import('./NewConversation.tsx').then(module => module.NewConversation))

/** Whether the list has its own place beside the conversation; below 1000 px it is a drawer. */
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
  const id = useArriving(addressed, show)
  const desk = useDesk(id)
  const wide = useMediaQuery(WIDE, false, { getInitialValueInEffect: false })
  const [listOpen, setListOpen] = useState(false)
  const [creating, setCreating] = useState(false)
  const openList = useCallback(() => setListOpen(true), [])
  const closeCreating = useCallback(() => setCreating(false), [])
  const closeList = useCallback(() => setListOpen(false), [])
  useEffect(() => openConversation(id), [id])
  useFreshAllowance()
  useScreenHeader(desk, wide ? null : openList)
  const searchInput = useRef<HTMLInputElement>(null)
  useScreenShortcuts({
    open: desk.key,
    searchInput,
    onList: openList,
    onNew: () => setCreating(true),
    onShow: next => void navigate({ to: '/conversation', search: { id: next } }),
  })
  const sidebar = (
    <ListOfConversations
      open={desk.key}
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
        <DeskView desk={desk} onShow={show} />
      </ShowConversationList>
      <Announcer conversation_id={id} />
      {creating && <NewConversation onClose={closeCreating} onLoadError={closeCreating} />}
    </div>
  )
}

function focusFirstRow(): void {
  document.querySelector<HTMLElement>('[data-testid=conversation-row] a')?.focus()
}

type ListProps = { open: string; searchInput: React.RefObject<HTMLInputElement | null>; onNew(): void }

function ListOfConversations({ open, searchInput, onNew }: ListProps) {
  const states = useRowStates()
  const { unsaved } = useUnsaved()
  const record = useMemo(() => unsaved && unsavedRecord(unsaved), [unsaved])
  return <Sidebar open={open} states={states} unsaved={record} searchInput={searchInput} onNew={onNew} />
}

/** What is shown while the title is not known. */
const UNTITLED = {
  new: 'conversations.untitled',
  open: 'conversations.untitled',
  loading: 'thread.loading',
  gone: 'thread.notFound',
  failed: 'thread.notLoaded',
} as const satisfies Record<Desk['status'], PlainKey>

function useScreenHeader({ id, key, status, history, choice }: Desk, onList: (() => void) | null): void {
  const t = useTranslate()
  const unsavedTitle = useUnsaved(({ unsaved }) => unsaved?.title ?? '')
  const given = (key === NEW_CONVERSATION ? unsavedTitle : history?.title) || null
  const title = given ?? t(UNTITLED[status])
  const source = choice?.source ?? null
  const stored = history === null ? null : id
  const wide = onList === null
  usePageTitle(given)
  useHeaderSlot(
    useMemo(
      () => <ConversationHeader id={stored} title={title} source={source} wide={wide} />,
      [stored, title, source, wide],
    ),
    useMemo(() => onList && <DrawerButton label={t('conversations.openList')} onClick={onList} />, [t, onList]),
  )
}
