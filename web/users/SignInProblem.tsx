import type { SignInProblem as Problem } from '#contract/signIn.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Note } from '#web/kit/Note.tsx'

/** Why a provider signed nobody in, and what to do. */
export function SignInProblem({ problem }: { problem: Problem }) {
  const t = useTranslate()
  return <Note tone="amber" title={t(`errors.${problem}`)} />
}
