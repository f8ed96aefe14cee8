// The parts of the AWS SDK that are used. Imported dynamically, because the package is optional; only these parts are bundled.
export { ChangeMessageVisibilityBatchCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
