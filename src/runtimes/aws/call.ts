// What is read of the context of a Lambda call. By itself, so that the types of the handlers need none of the packages of the runtime.
import type { LambdaContext } from 'hono/aws-lambda'

export type LambdaCall = Pick<LambdaContext, 'getRemainingTimeInMillis' | 'awsRequestId'>
