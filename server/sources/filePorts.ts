/** What a source does with files that people upload for it. */
export type FilePorts = {
  /** Whether this person may upload anything for it. */
  isAllowed(user_id: number): Promise<boolean>
  /** Whether this server keeps files for it; otherwise browsers send them to its upstreams alone. */
  takesHere(): boolean
  /** The file was removed: it is sent no further. */
  stopSending(file_id: string): void
}
