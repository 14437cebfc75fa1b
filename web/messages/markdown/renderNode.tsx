import type {
  Code,
  InlineCode,
  Link,
  List,
  ListItem,
  Literal,
  Nodes,
  Parent,
  RootContent,
  FootnoteDefinition,
  FootnoteReference,
} from 'mdast'
import { Fragment, memo, type ReactNode, type MouseEvent } from 'react'
import { DrawSource, marksOf, withCitations, withoutMarks } from './citationMarks.tsx'
import { CodeBlock } from './code/CodeBlock.tsx'
import { type Direction, directionOf, dirOf, Table } from './blocks/Table.tsx'
import { drawFolded, folded, foldIn, summaryIn } from './blocks/Details.tsx'
import type { Fold, Summary } from './parser/foldTokens.ts'
import { ImageCard } from './blocks/ImageCard.tsx'
import type { Caret } from './blocks/caret.tsx'
import styles from './blocks/markdown.module.css'
import { renderHtml, withInlineTags } from './blocks/htmlTags.tsx'
import { Mathematics } from './blocks/Mathematics.tsx'
import type { Mathematics as MathematicsNode } from './parser/parse.ts'
import { SafeLink } from './blocks/SafeLink.tsx'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import { IconArrowUp } from '#web/kit/icons.ts'

const HEADINGS = { 1: 'h2', 2: 'h2', 3: 'h3', 4: 'h4', 5: 'h5', 6: 'h6' } as const
const HAN = /\p{Script=Han}/u

/** Makes an element of each node. Text becomes one of these elements or plain text, never markup. */
export function renderNode(node: Nodes, caret: Caret = null): ReactNode {
  const inside = (parent: Parent) => childrenOf(parent, caret)
  switch (node.type) {
    case 'text':
      return withCitations(node.value)
    case 'paragraph':
      return <p dir="auto">{inside(node)}</p>
    case 'heading':
      return headingOf(node.depth, inside(node))
    case 'strong':
      return <strong>{inside(node)}</strong>
    case 'emphasis':
      // Han has no italics: it is emphasised by weight.
      return <em className={HAN.test(plainText(node)) ? styles.weight : undefined}>{inside(node)}</em>
    case 'delete':
      return <del>{inside(node)}</del>
    case 'inlineCode':
      return inlineCodeOf(node)
    case 'code':
      return codeBlockOf(node, caret)
    case 'mathematics':
      return formulaOf(node)
    case 'break':
      return <br />
    case 'thematicBreak':
      return <hr />
    case 'blockquote':
      return <blockquote dir={dirOf(directionOf(node))}>{blocksOf(node, caret, inside)}</blockquote>
    case 'list':
      return listOf(node, caret)
    case 'table':
      return <Table node={node} caret={caret} cell={childrenOf} />
    case 'link':
      return linkOf(node, caret)
    case 'image':
      return <ImageCard url={node.url} alt={node.alt ?? ''} title={node.title} />
    case 'html':
      return renderHtml(node, caret !== null)
    case 'fold':
    case 'summary':
      return withoutDetails(node, inside)
    case 'footnoteReference':
      return <FootnoteMark node={node} />
    case 'footnoteDefinition':
      return <Footnote node={node}>{inside(node)}</Footnote>
    // Definitions are resolved before, and references without one show their text.
    case 'linkReference':
      return inside(node)
    case 'imageReference':
      return node.alt
    case 'definition':
    case 'yaml':
      return null
    case 'root':
    case 'listItem':
    case 'tableRow':
    case 'tableCell':
      return inside(node)
  }
}

function childrenOf(parent: Parent, caret: Caret): ReactNode {
  return (
    <>
      {withInlineTags(parent.children, caret !== null, (child, at) => renderNode(child, caretFor(at, parent, caret)))}
      {caret?.host === parent && caret.mark}
    </>
  )
}

function inlineCodeOf(node: InlineCode): ReactNode {
  return beforeMarks(
    <code dir="ltr" translate="no">
      {withoutMarks(node.value)}
    </code>,
    node,
  )
}

function formulaOf(node: MathematicsNode): ReactNode {
  return beforeMarks(<Mathematics tex={withoutMarks(node.value)} display={node.display} pending={node.pending} />, node)
}

/** A tag of details without its counterpart. */
function withoutDetails(node: Fold | Summary, inside: (parent: Parent) => ReactNode): ReactNode {
  if (node.type === 'fold') return <p className={styles.html}>{node.value}</p>
  return (
    <p dir="auto">
      {'<summary>'}
      {inside(node)}
      {'</summary>'}
    </p>
  )
}

/** Blocks in a quote or a list item, with their details. */
function blocksOf<P extends Parent>(parent: P, caret: Caret, inside: (parent: P) => ReactNode): ReactNode {
  if (!parent.children.some(child => child.type === 'fold')) return inside(parent)
  const draw = (child: Nodes) => {
    const at = parent.children.findIndex(other => other === child)
    return <Fragment key={at}>{renderNode(child, caretFor(at, parent, caret))}</Fragment>
  }
  return drawFolded<Nodes>(folded<Nodes>(parent.children, foldIn), draw, summaryIn, summary =>
    childrenOf(summary, caret),
  )
}

/** What is shown of a summary within its details. */
export const summaryText = (summary: Parent, caret: Caret) => childrenOf(summary, caret)

function headingOf(depth: 1 | 2 | 3 | 4 | 5 | 6, children: ReactNode): ReactNode {
  const Heading = HEADINGS[depth]
  return <Heading dir="auto">{children}</Heading>
}

function codeBlockOf(node: Code, caret: Caret): ReactNode {
  const mark = caret?.host === node && caret.mark
  return <CodeBlock code={withoutMarks(node.value)} language={node.lang ?? null} caret={mark} />
}

/** Citation marks follow code or a formula, in which they cannot stand. */
function beforeMarks(shown: ReactNode, { value }: Literal): ReactNode {
  return (
    <>
      {shown}
      {marksOf(value)}
    </>
  )
}

/** The caret is at the end: earlier nodes do not get it and do not render again. */
function caretFor(at: number, parent: Parent, caret: Caret): Caret {
  return at === parent.children.length - 1 ? caret : null
}

function listOf(node: List, caret: Caret): ReactNode {
  const loose = node.spread || node.children.some(item => item.spread)
  const direction = directionOf(node)
  const items = node.children.map((item, at) => (
    <Item key={at} item={item} loose={loose} list={direction} caret={caretFor(at, node, caret)} />
  ))
  const className = loose ? styles.loose : undefined
  return node.ordered ? (
    <ol dir={dirOf(direction)} start={node.start ?? 1} className={className}>
      {items}
    </ol>
  ) : (
    <ul dir={dirOf(direction)} className={className}>
      {items}
    </ul>
  )
}

type ItemProps = { item: ListItem; loose: boolean; list: Direction | null; caret: Caret }

/** In a tight list a paragraph is only its text. All bullets stand on one side, whichever way an item's text runs. */
const Item = memo(function Item({ item, loose, list, caret }: ItemProps) {
  const isTask = typeof item.checked === 'boolean'
  const direction = directionOf(item) ?? list
  const differs = direction !== list
  return (
    <li dir={differs ? (list ?? undefined) : dirOf(direction)} className={isTask ? styles.task : undefined}>
      {isTask && <TaskMark done={item.checked === true} />}
      {blocksOf(item, caret, () =>
        item.children.map((child, at) => {
          const itsCaret = caretFor(at, item, caret)
          if (child.type !== 'paragraph' || loose) return <Fragment key={at}>{renderNode(child, itsCaret)}</Fragment>
          const text = childrenOf(child, itsCaret)
          return differs ? (
            <div key={at} dir="auto">
              {text}
            </div>
          ) : (
            <Fragment key={at}>{text}</Fragment>
          )
        }),
      )}
      {caret?.host === item && caret.mark}
    </li>
  )
})

/** A card with a link of its own cannot stand inside a link: a picture there is its description. */
function linkOf(link: Link, caret: Caret): ReactNode {
  const inside = withInlineTags(link.children, caret !== null, (child, at) =>
    child.type === 'image' ? child.alt : renderNode(child, caretFor(at, link, caret)),
  )
  return (
    <SafeLink url={withoutMarks(link.url)} title={link.title}>
      {/* `[[1]](address)` is a link already. */}
      <DrawSource value={null}>{inside}</DrawSource>
    </SafeLink>
  )
}

function plainText(node: Nodes | RootContent): string {
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(plainText).join('') : ''
}

function TaskMark({ done }: { done: boolean }) {
  const t = useTranslate()
  return (
    <input
      type="checkbox"
      className={styles.taskMark}
      checked={done}
      disabled
      readOnly
      aria-label={t(done ? 'message.taskDone' : 'message.taskOpen')}
    />
  )
}

/** The mark in the text. It moves to the note without changing the page's address, which names a message. */
function FootnoteMark({ node }: { node: FootnoteReference }) {
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
function Footnote({ node, children }: { node: FootnoteDefinition; children: ReactNode }) {
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
