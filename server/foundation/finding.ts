/** Result of one check; a wrong one says how to repair it. */
export type Finding =
  | { about: string; good: true; text: string }
  | { about: string; good: false; text: string; mend: string }

export const good = (about: string, text: string): Finding => ({ about, good: true, text })
export const wrong = (about: string, text: string, mend: string): Finding => ({ about, good: false, text, mend })
