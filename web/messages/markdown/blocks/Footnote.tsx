import type { FootnoteDefinition, FootnoteReference } from 'mdast'
import type { MouseEvent, ReactNode } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconArrowUp } from '#web/kit/icons.ts'
import { SmallIconButton } from '#web/kit/SmallIconButton.tsx'
import styles from '../markdown.module.css'

/** The mark in the text. It moves to the note without changing the page's address, which names a message. */
export function FootnoteMark({ node }: { node: FootnoteReference }) {
  const t = useTranslate()
  const number = numberOf(node)
  return (
    <sup className={styles.footnoteMark}>
      <button
        type="button"
        className={styles.footnoteLink}
        data-note-mark={node.identifier}
        aria-label={t('message.footnote', { number })}
        onClick={event => goTo(event, 'note', node.identifier)}
      >
        {number}
      </button>
    </sup>
  )
}

/** The note, with a button back to its first mark. */
export function Footnote({ node, children }: { node: FootnoteDefinition; children: ReactNode }) {
  const t = useTranslate()
  const number = numberOf(node)
  return (
    <div
      className={styles.footnote}
      data-note={node.identifier}
      tabIndex={-1}
      role="group"
      aria-label={t('message.footnote', { number })}
    >
      <sup className={styles.footnoteMark}>{number}</sup>
      <div>{children}</div>
      <SmallIconButton
        className={styles.footnoteBack}
        label={t('message.footnoteBack')}
        onClick={event => goTo(event, 'noteMark', node.identifier)}
      >
        <IconArrowUp size={14} stroke={1.6} aria-hidden />
      </SmallIconButton>
    </div>
  )
}

function numberOf({ number, label, identifier }: FootnoteReference | FootnoteDefinition): string {
  return String(number ?? label ?? identifier)
}

/** Searches only this text: other messages may have notes of the same name. */
function goTo(event: MouseEvent<HTMLElement>, kind: 'note' | 'noteMark', identifier: string): void {
  const text = event.currentTarget.closest(`.${styles.markdown}`)
  const target = [...(text?.querySelectorAll<HTMLElement>('[data-note], [data-note-mark]') ?? [])].find(
    ({ dataset }) => dataset[kind] === identifier,
  )
  target?.focus({ preventScroll: true })
  target?.scrollIntoView({ block: 'nearest' })
}
