// Signs the headers of closed days, and makes the random values of the ledger.

/** Both keys in base64: the public key as its 32 bytes, the private key as PKCS #8. */
export type SigningKey = { publicKey: string; privateKey: string }

export type Signer = {
  createKey(): Promise<SigningKey>
  /** The Ed25519 signature of the text in UTF-8, in base64. */
  sign(privateKey: string, text: string): Promise<string>
  /** False also for a key or a signature that is none. */
  verify(publicKey: string, text: string, signature: string): Promise<boolean>
  /** A new salt for a line: 128 random bits as 32 hexadecimal digits. */
  newSalt(): string
}
