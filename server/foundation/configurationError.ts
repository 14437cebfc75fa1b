/** A wrong value that stops the start: one plain line which names the value and where it came from. */
export class ConfigurationError extends Error {
  constructor(line: string) {
    super(line.replaceAll(/\s*[\r\n]+\s*/g, ' '))
    this.name = 'ConfigurationError'
  }
}
