import { memo, useMemo } from 'react'
import type { Block, Group } from './groups.ts'
import { likelyHeight } from './likelyHeight.ts'
import styles from './markdown.module.css'
import { Growing, WrapCode } from './settings.ts'
import type { TextFeed } from './textFeed.ts'
import { caretHost, toReact } from './toReact.tsx'
import { useMarkdownBlocks } from './useMarkdownBlocks.ts'
import { wholeBlocks } from './wholeBlocks.ts'

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
  const { groups, growing, grew } = useMarkdownBlocks(feed)
  const caretInText = groups.at(-1)?.at(-1)?.open === true
  return (
    <Growing value>
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
    </Growing>
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
  return toReact(node, open ? { host: caretHost(node), mark: <CaretMark /> } : null)
})

function CaretMark() {
  return <span className={styles.caret} aria-hidden="true" />
}
