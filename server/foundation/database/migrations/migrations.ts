import { initial } from './001-initial.ts'
import type { Migration } from './migration.ts'

/** In the order they are applied. */
export const MIGRATIONS: readonly Migration[] = [initial]
