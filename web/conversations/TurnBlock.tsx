import { type CSSProperties, Fragment, memo, type ReactNode, type RefObject } from 'react'
import type { Turn } from '#web/messages/turn.ts'
import styles from './thread.module.css'
import { type TurnLife, type TurnTools, TurnView } from './TurnView.tsx'
import type { Gap } from './useShownTurns.ts'

/** What is the same for all turns; `growing` and `actions` belong to the last one. */
export type TurnsDrawn = TurnLife & { last: Turn | undefined; tools: TurnTools | undefined; actions: ReactNode }

type TurnBlockProps = {
  turns: readonly Turn[]
  gap: Gap | null
  gapElement: RefObject<HTMLDivElement | null>
  drawn: TurnsDrawn
}

/** A few turns in a row: a conversation of a thousand is put up bit by bit, and each bit is to cost what it holds, not what there is. */
export const TurnBlock = memo(
  function TurnBlock({ turns, gap, gapElement, drawn: { last, feedOf, growing, tools, actions } }: TurnBlockProps) {
    return turns.map(turn => {
      const isLast = turn === last
      return (
        <Fragment key={turn.key}>
          {gap?.before === turn.key && <div ref={gapElement} className={styles.gap} style={roomFor(gap.count)} />}
          <TurnView
            turn={turn}
            last={isLast}
            life={{ feedOf, growing: isLast && growing }}
            tools={tools}
            actions={isLast ? actions : null}
          />
        </Fragment>
      )
    })
  },
  (a, b) =>
    a.gap === b.gap &&
    a.drawn === b.drawn &&
    a.turns.length === b.turns.length &&
    a.turns.every((turn, at) => turn === b.turns[at]),
)

function roomFor(turns: number): CSSProperties {
  return { ['--turns' as never]: turns } // CSSProperties knows no variables
}
