import { memo, useMemo } from 'react'
import { type Block, type Group, likelyHeight } from './blocks/blockGroups.ts'
import styles from './markdown.module.css'
import { WrapCode } from './code/CodeBlock.tsx'
import { GrowingText } from './math/Mathematics.tsx'
import { caretIn, CaretMark } from './blocks/caret.tsx'
import type { TextFeed } from './streaming/textFeed.ts'
import { renderNode } from './renderNode.tsx'
import { useStreamingBlocks } from './streaming/useStreamingBlocks.ts'
import { wholeBlocks } from './parseWhole.ts'

/** A text that is complete. */
export function Markdown({ text, wrapCode = false }: { text: string; wrapCode?: boolean }) {
  const groups = useMemo(() => wholeBlocks(text), [text])
  return (
    <WrapCode value={wrapCode}>
      <div className={styles.markdown}>
        {groups.map(group => (
          <GroupView key={group[0]?.key} group={group} live={false} />
        ))}
      </div>
    </WrapCode>
  )
}

/** A text that grows; when it is complete it is the same as `Markdown`. */
export function StreamingMarkdown({ feed, wrapCode = false }: { feed: TextFeed; wrapCode?: boolean }) {
  const { groups, growing, grew } = useStreamingBlocks(feed)
  const caretInText = groups.at(-1)?.at(-1)?.open === true
  return (
    <GrowingText value>
      <WrapCode value={wrapCode}>
        <div className={styles.markdown}>
          {groups.map(group => (
            <GroupView key={group[0]?.key} group={group} live={grew && group === groups.at(-1)} />
          ))}
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

/** One box; the browser need not lay it out while it is out of sight. The one that grew last stays as it is: to change it is to lay it out anew. */
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
