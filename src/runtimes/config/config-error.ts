// The error of a setting or an argument that cannot be used. By itself, because applications get its type, without those of Node.

export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
  }
}
