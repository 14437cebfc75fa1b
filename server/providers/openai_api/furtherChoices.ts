import type { Finish } from './finishReasons.ts'

/** What another choice than the one that is read says. */
export type OtherChoice = { choice: number; text: string; finish: Finish | null }

/** Events in which one choice alone has spoken before it is taken for the rest, although the one before has not said that it ended. */
const MIN_EVENTS_OF_CONTINUATION = 16

/**
 * Some endpoints go on with an answer in another choice; others send several answers at once, which nobody has asked for. What another choice
 * says is held until the one that is read ends, or says nothing more: then it is the rest. If that one speaks again, it is another answer.
 */
export function furtherChoices() {
  const others = new Set<number>()
  let held: (OtherChoice & { events: number; isBehindEnd: boolean }) | null = null

  /** The rest, if it is known now to be one. `finish`: how the choice that is read has ended. */
  function continuation(finish: Finish | null, isOver: boolean): OtherChoice | null {
    if (held === null || (finish === null && held.events < MIN_EVENTS_OF_CONTINUATION && !isOver)) return null
    const { choice, text, isBehindEnd } = held
    const ended = held.finish ?? (isBehindEnd ? null : finish)
    held = null
    return { choice, text, finish: ended }
  }

  return {
    /** The choice that is read has spoken. */
    noteSpoken(): void {
      if (held !== null) others.add(held.choice)
      held = null
    },
    /** Another one has. `together`: in the same event as the one that is read, which therefore goes on. */
    note({ choice, text, finish }: OtherChoice, together: boolean, hasEnded: boolean): void {
      if (together) others.add(choice)
      if (others.has(choice) || (held !== null && held.choice !== choice) || (held === null && text === '')) return
      held ??= { choice, text: '', finish: null, events: 0, isBehindEnd: hasEnded }
      held.text += text
      held.finish ??= finish
      held.events += 1
    },
    continuation,
    /** One that was read is over: what it may still say is no part of the answer. */
    leave: (choice: number): void => void others.add(choice),
  }
}
