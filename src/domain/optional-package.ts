// Packages that Terce loads when they are used and installed. Their adapters pass the import.

/** The message names the package and how to install it. */
export class MissingPackageError extends Error {
  constructor(purpose: string, name: string) {
    super(`${purpose} needs ${name}: npm install ${name}`)
    this.name = 'MissingPackageError'
  }
}

/** The package, or a MissingPackageError. Any other error of its import is thrown unchanged. */
export async function loadOptional<T>(purpose: string, name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code === 'ERR_MODULE_NOT_FOUND' && message.includes(`'${name}'`))
      throw new MissingPackageError(purpose, name)
    throw error
  }
}
