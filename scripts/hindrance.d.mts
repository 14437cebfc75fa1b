export function hindranceToStart(root: string, environment?: NodeJS.ProcessEnv): string | null
export function hindranceToBuild(root: string, environment?: NodeJS.ProcessEnv): string | null
