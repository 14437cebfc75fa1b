/** What the build tells the inline script of a page, as JSON in its head. */
export type Plan = {
  /** In the order in which they are run. */
  scripts: string[]
  /** By language: shown when the scripts do not arrive. */
  unloaded: Record<string, string>
  /** The screen that is drawn in the page, and the scripts that it needs beside those above. */
  screen?: { name: ScreenName; scripts: string[]; greetings: Record<string, string[]> }
}
export type ScreenName = 'login' | 'conversation'

/** Stands for the name of whoever arrives; two characters that no name has. The first alone stands for their initial. */
export const NAME = '\uE000\uE001'
