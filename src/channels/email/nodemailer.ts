// Loads the two parts of nodemailer that are used, with the first mail. The package is optional.
import { loadOptional } from '../../domain/optional-package.ts'

/** Throws a MissingPackageError if nodemailer is not installed. */
export function loadNodemailer() {
  return loadOptional('Sending e-mail by SMTP', 'nodemailer', async () => {
    const [composer, connection] = await Promise.all([
      import('nodemailer/lib/mail-composer'),
      import('nodemailer/lib/smtp-connection'),
    ])
    return { MailComposer: composer.default, SMTPConnection: connection.default }
  })
}

export type Nodemailer = Awaited<ReturnType<typeof loadNodemailer>>
