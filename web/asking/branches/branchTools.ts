import type { TurnTools } from '#web/thread/TurnView.tsx'
import { AnswerTools } from './AnswerTools.tsx'
import { Asked } from './Asked.tsx'
import { QuestionTools } from './QuestionTools.tsx'

/** What more can be done with the messages of one's own conversation. */
export const BRANCH_TOOLS: TurnTools = { Answer: AnswerTools, Question: QuestionTools, Asked }
