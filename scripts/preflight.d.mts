export function startProblem(root: string, environment?: NodeJS.ProcessEnv): string | null
export function buildProblem(root: string, environment?: NodeJS.ProcessEnv): string | null
