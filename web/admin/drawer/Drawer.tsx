import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconX } from '#web/kit/icons.ts'
import { keepToastsAbove, toastsBelow } from '#web/kit/Toasts.tsx'
import { AskBeforeLeaving } from '../form/AskBeforeLeaving.tsx'
import styles from './drawer.module.css'
import type { Changes, Conflict, Saving } from '../form/useChanges.ts'
import { Note } from '#web/kit/Note.tsx'

/** The element id of the open drawer. */
export const DRAWER = 'drawer'

type DrawerHead = {
  title: string
  /** One line under it. */
  context?: ReactNode
  /** Before it, 36 px: `Avatar`. */
  picture?: ReactNode
  /** Before the cross: a `MenuButton`. */
  actions?: ReactNode
  /** Opened to fill in its first field. */
  isNew?: boolean
}
type DrawerTabs = {
  entries: readonly { key: string; label: string; /** Of its changes. */ count?: number }[]
  chosen: string
  onChoose(key: string): void
}

type DrawerProps = {
  head: DrawerHead
  tabs?: DrawerTabs
  /** For a form: its unsaved changes. Leaving with changes asks for confirmation. */
  saving?: Saving
  onClose(): void
  children: ReactNode
}

/** Beside the list, which stays usable; on a phone a sheet over the whole page. */
export function Drawer({ head, tabs, saving, onClose, children }: DrawerProps) {
  const t = useTranslate()
  const id = useId()
  const self = useRef<HTMLElement>(null)
  const { isNew = false } = head
  const overPage = useMediaQuery('(width <= 47.5em)', false, { getInitialValueInEffect: false })
  useEffect(() => {
    if (overPage) self.current?.focus()
    else if (isNew) self.current?.querySelector<HTMLElement>('input:checked, input:not([type=radio])')?.focus()
  }, [overPage, isNew])
  useFocusKept(self)
  useFocusBack(self)
  useEscape(self, onClose)
  return (
    <aside ref={self} id={DRAWER} className={styles.drawer} aria-labelledby={id} tabIndex={-1} data-testid="drawer">
      <header ref={toastsBelow} className={styles.head}>
        {head.picture}
        <div className={styles.title}>
          <h2 id={id}>{head.title}</h2>
          {head.context !== undefined && <p>{head.context}</p>}
        </div>
        {head.actions}
        <IconButton label={t('drawer.close')} onClick={onClose}>
          <IconX size={18} aria-hidden />
        </IconButton>
      </header>
      {tabs !== undefined && <TabBar tabs={tabs} panel={`${id}panel`} />}
      <div
        className={styles.body}
        id={`${id}panel`}
        role={tabs === undefined ? undefined : 'tabpanel'}
        aria-labelledby={tabs === undefined ? undefined : `${id}panel-${tabs.chosen}`}
      >
        {children}
      </div>
      {saving?.list}
      {saving !== undefined && <SaveBar saving={saving} />}
    </aside>
  )
}

/** When the drawer closes with the focus inside, the focus returns to its row, or to the element that had it before. */
function useFocusBack(inside: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const [element, before] = [inside.current, document.activeElement]
    return () => {
      if (element?.contains(document.activeElement) !== true) return
      const row = document.querySelector(`[aria-controls=${DRAWER}]`)
      // What it is about may have been removed in it.
      const back = row ?? (before?.isConnected && before !== document.body ? before : document.getElementById('page'))
      if (back instanceof HTMLElement) back.focus()
    }
  }, [inside])
}

/** Escape closes the drawer, unless something in it handles the key. */
function useEscape(inside: RefObject<HTMLElement | null>, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    const element = inside.current
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      event.preventDefault()
      close()
    }
    element?.addEventListener('keydown', onKeyDown)
    return () => element?.removeEventListener('keydown', onKeyDown)
  }, [inside])
}

function TabBar({ tabs: { entries, chosen, onChoose }, panel }: { tabs: DrawerTabs; panel: string }) {
  const t = useTranslate()
  const step = (event: KeyboardEvent, at: number) => {
    const to = event.key === 'ArrowRight' ? at + 1 : event.key === 'ArrowLeft' ? at - 1 : null
    const next = to === null ? undefined : entries.at(to % entries.length)
    if (next === undefined) return
    event.preventDefault()
    onChoose(next.key)
    document.getElementById(`${panel}-${next.key}`)?.focus()
  }
  return (
    <div className={styles.tabs} role="tablist">
      {entries.map(({ key, label, count = 0 }, at) => (
        <button
          key={key}
          id={`${panel}-${key}`}
          type="button"
          role="tab"
          aria-selected={key === chosen}
          aria-controls={panel}
          tabIndex={key === chosen ? 0 : -1}
          onClick={() => onChoose(key)}
          onKeyDown={event => step(event, at)}
        >
          {label}
          {count > 0 && (
            <span className={styles.tabCount} aria-hidden="true">
              {count}
            </span>
          )}
          {count > 0 && <span className="visually-hidden">{`, ${t('drawer.changes', { count })}`}</span>}
        </button>
      ))}
    </div>
  )
}

/** Buttons that become disabled would lose the focus; with the drawer focused, Escape and Tab still work. */
const keepFocus = (): void => document.getElementById(DRAWER)?.focus()

/** What has to be done before saving; otherwise how many changes there are. */
function useStatus({ count, wrong, conflicts, adding }: Saving): string {
  const t = useTranslate()
  if (conflicts.length > 0) return t('admin.conflicts', { count: conflicts.length })
  if (wrong > 0 && count > 0) return t('drawer.wrong', { count: wrong })
  return adding?.note ?? (count === 0 ? t('drawer.unchanged') : t('drawer.changes', { count }))
}

/** How many changes there are; nothing is stored before. */
function SaveBar({ saving }: { saving: Saving }) {
  const t = useTranslate()
  const { count, wrong, conflicts, pending, save, discard, adding } = saving
  return (
    <footer ref={keepToastsAbove} className={styles.foot}>
      <AskBeforeLeaving count={count} />
      <span className={styles.count} role="status">
        {useStatus(saving)}
      </span>
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        data-testid="discard"
        disabled={(count === 0 && adding === undefined) || pending}
        onClick={() => {
          keepFocus()
          discard()
        }}
      >
        {adding?.cancel ?? t('drawer.discard')}
      </Button>
      <Button
        size="xs"
        data-testid="save"
        disabled={count === 0 || wrong > 0 || conflicts.length > 0}
        loading={pending}
        onClick={() => {
          keepFocus()
          void save()
        }}
      >
        {adding?.verb ?? t('drawer.save')}
      </Button>
    </footer>
  )
}

/**
 * Where the control that had the focus inside is removed, such as by its own click, the focus stays inside: with the
 * whole.
 */
function useFocusKept(whole: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = whole.current
    if (element === null) return undefined
    const stop = new AbortController()
    const { signal } = stop
    let isInside = false
    const look = ({ target }: Event) => {
      isInside = target instanceof Node && element.contains(target)
    }
    document.addEventListener('focusin', look, { signal })
    // Where a click takes the focus away, nothing else need get it.
    document.addEventListener('pointerdown', look, { signal })
    const removals = new MutationObserver(() => {
      if (isInside && document.activeElement === document.body) element.focus({ preventScroll: true })
    })
    removals.observe(element, { childList: true, subtree: true })
    return () => {
      stop.abort()
      removals.disconnect()
    }
  }, [whole])
}

type ConflictsProps<Fields> = {
  changes: Changes<Fields>
  /** The name of a field as its row has it. */
  labelOf(name: Conflict<Fields>['name']): string
  /** A value in words. */
  show(name: Conflict<Fields>['name'], value: unknown): string
}

/** At the top of the drawer: fields that somebody else has changed too, with both values to choose from. */
export function Conflicts<Fields>({ changes, labelOf, show }: ConflictsProps<Fields>) {
  const t = useTranslate()
  if (changes.conflicts.length === 0) return null
  return (
    <div className={styles.conflicts} data-testid="conflicts">
      <Note tone="amber" title={t('drawer.conflict')}>
        {t('drawer.conflictText')}
      </Note>
      {changes.conflicts.map(({ name, mine, theirs }) => (
        <fieldset key={name}>
          <legend>{labelOf(name)}</legend>
          {(['mine', 'theirs'] as const).map(whose => (
            <div key={whose}>
              <span>{t(`drawer.${whose}`)}</span>
              <b>{show(name, whose === 'mine' ? mine : theirs)}</b>
              <Button size="xs" variant="default" onClick={() => changes.settle(name, whose)}>
                {t(`drawer.take.${whose}`)}
              </Button>
            </div>
          ))}
        </fieldset>
      ))}
    </div>
  )
}
