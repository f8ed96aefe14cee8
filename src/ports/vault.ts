// Seals secrets for the database, and opens them again. Only who has the key of the environment can.

export type Vault = {
  seal(secret: string): string
  /** Throws if it was sealed under another key, or changed since. */
  open(sealed: string): string
}
