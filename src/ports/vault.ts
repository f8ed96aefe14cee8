// Seals secrets for the database, and opens them again. Only a process with a key of the environment can.

export type Vault = {
  /** `place` names the place that the secret belongs to: it opens nowhere else. */
  seal(secret: string, place: string): string
  /** Throws if it was sealed under an unknown key or for another place, or changed since. */
  open(sealed: string, place: string): string
  /** False if it was sealed with a previous key. */
  isCurrent(sealed: string): boolean
}
