import { BranchSwitch } from '#web/conversations/branches/BranchSwitch.tsx'
import type { TurnTools } from '#web/conversations/TurnView.tsx'

/** Where only reading is possible there is nothing to do with a message but to look at its other versions. */
export const READING_TOOLS: TurnTools = {
  Answer: ({ turn }) => turn.replies.map(({ id }) => <BranchSwitch key={id} message_id={id} />),
  Question: ({ turn }) => turn.question !== null && <BranchSwitch message_id={turn.question.id} />,
  Asked: ({ children }) => children,
}
