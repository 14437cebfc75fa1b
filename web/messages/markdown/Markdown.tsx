import { memo, type ReactNode, useEffect, useMemo } from 'react'
import type { Nodes } from 'mdast'
import { idle, whenIdle } from '#web/foundation/idle.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { type Block, type Group, likelyHeight } from './parser/blockGroups.ts'
import { caretIn, CaretMark } from './blocks/caret.tsx'
import { drawFolded, folded, foldIn, summaryIn } from './blocks/Details.tsx'
import { loadHighlighter, WrapCode } from './code/CodeBlock.tsx'
import styles from './blocks/markdown.module.css'
import { GrowingText, loadMathematics } from './blocks/Mathematics.tsx'
import { wholeBlocks } from './parser/parseWhole.ts'
import { renderNode, summaryText } from './renderNode.tsx'
import type { TextFeed } from './streaming/textFeed.ts'
import { useStreamingBlocks } from './streaming/useStreamingBlocks.ts'

/** A text that is complete. */
export function Markdown({ text, wrapCode = false }: { text: string; wrapCode?: boolean }) {
  const groups = useMemo(() => wholeBlocks(text), [text])
  return (
    <WrapCode value={wrapCode}>
      <div className={styles.markdown}>
        {text === '' || isSeen(groups) ? boxesOf(groups, false) : <NothingSeen characters={text.length} />}
      </div>
    </WrapCode>
  )
}

/** A text that grows. When it is complete it looks the same as `Markdown`. */
export function StreamingMarkdown({ feed, wrapCode = false }: { feed: TextFeed; wrapCode?: boolean }) {
  const { groups, growing, grew, final } = useStreamingBlocks(feed)
  useEffect(() => whenIdle(() => void loadLibraries()), [])
  const caretInText = groups.at(-1)?.at(-1)?.open === true
  return (
    <GrowingText value>
      <WrapCode value={wrapCode}>
        {/* A browser that translates the page puts its own elements in place of the text nodes that React updates. */}
        <div className={styles.markdown} translate={final ? undefined : 'no'}>
          {!growing && feed.text !== '' && !isSeen(groups) ? (
            <NothingSeen characters={feed.text.length} />
          ) : (
            boxesOf(groups, grew)
          )}
          {growing && !caretInText && (
            <p>
              <CaretMark />
            </p>
          )}
        </div>
      </WrapCode>
    </GrowingText>
  )
}

/** An answer of nothing but direction marks or the like would look as if it were missing. */
function NothingSeen({ characters }: { characters: number }) {
  const t = useTranslate()
  return <p className={styles.nothingSeen}>{t('message.nothingVisible', { count: characters })}</p>
}

/**
 * Loads the libraries of formulas and code while an answer begins, before its text needs them; one after the other, so
 * that no frame starts both.
 */
async function loadLibraries(): Promise<void> {
  await loadMathematics()
  await idle()
  // Offline: code stays plain.
  await loadHighlighter().catch(() => {})
}

const hasFold = (group: Group) => group.some(({ node }) => node.type === 'fold' || node.type === 'summary')

/** The groups in their boxes. Details are around those of their blocks, and a group ends where they begin or end. */
function boxesOf(groups: readonly Group[], grew: boolean): ReactNode {
  const last = groups.at(-1)
  const draw = (group: Group) => (
    <GroupView key={group[0]?.key} group={group} live={grew && group.at(-1) === last?.at(-1)} />
  )
  if (!groups.some(hasFold)) return groups.map(draw)
  const parted = groups.flatMap(group => (hasFold(group) ? group.map((block): Group => [block]) : [group]))
  return drawFolded(
    folded(parted, ([block]) => foldIn(block?.node)),
    draw,
    ([block]) => summaryIn(block?.node),
    summary => summaryText(summary, null),
  )
}

/**
 * Blocks in one box, which the browser need not lay out while it is out of sight. The last box of a text that grew
 * stays `live`: to change that would lay it out again.
 */
const GroupView = memo(function GroupView({ group, live }: { group: Group; live: boolean }) {
  return (
    <div
      className={live ? styles.group : `${styles.group} ${styles.wholeGroup}`}
      style={live ? undefined : { containIntrinsicBlockSize: `auto ${likelyHeight(group)}px` }}
      data-box
    >
      {group.map(block => (
        <BlockView key={block.key} block={block} />
      ))}
    </div>
  )
})

const BlockView = memo(function BlockView({ block: { node, open } }: { block: Block }) {
  return renderNode(node, open ? caretIn(node) : null)
})

/**
 * A character that leaves something on the page: no space, control, direction, joiner, variation or lone combining
 * character.
 */
const SEEN = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Whether anything of these blocks is seen. */
export function isSeen(groups: readonly Group[]): boolean {
  return groups.some(group => group.some(({ node }) => leavesMark(node)))
}

function leavesMark(node: Nodes): boolean {
  switch (node.type) {
    case 'definition':
    case 'yaml':
    case 'break':
      return false
    case 'code':
    case 'image':
    case 'thematicBreak':
    case 'footnoteReference':
    case 'footnoteDefinition':
    case 'table':
    case 'fold':
      return true
    default:
      if ('children' in node) return node.children.some(leavesMark)
      return 'value' in node && SEEN.test(node.value)
  }
}
