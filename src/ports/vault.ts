// Seals secrets for the database, and opens them again. Only a process with a key of the environment can.

export type Vault = {
  /** `place` names the place that the secret belongs to: it opens nowhere else. */
  seal(secret: string, place: string): string
  /** Throws if it was sealed under an unknown key or for another place, or changed since. */
  open(sealed: string, place: string): string
  /** `previous-key`: only an earlier key opens it. `earlier-form`: an earlier release sealed it, for no particular place. */
  ageOf(sealed: string): 'current' | 'previous-key' | 'earlier-form'
}
