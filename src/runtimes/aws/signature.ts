// The signer of requests to AWS. Imported dynamically, because the package is optional; only this part is bundled.
export { SignatureV4 } from '@smithy/signature-v4'
