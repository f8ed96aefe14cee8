locals {
  namespace = "Terce/${var.name}"
  settings = {
    NODE_OPTIONS = "--enable-source-maps"
    # The certificate authority of RDS, which Node does not include.
    NODE_EXTRA_CA_CERTS = "/var/runtime/ca-cert.pem"
    # No secret is in the environment: anyone who may call lambda:GetFunctionConfiguration could read it.
    SECRETS_ARN = var.secret_arn
    WEBHOOK_URL = var.webhook_url
    DELIVER_AT  = var.deliver_at
    LOG_LEVEL   = var.log_level
    # The alarms and the dashboard read this namespace.
    METRICS_NAMESPACE = local.namespace
    # Longer than all receives of a message: maxReceiveCount times the visibility timeout of the queue below.
    LEASE_MS = "1200000"
    # Both shorter than the sending time of a worker: its timeout minus seven seconds.
    WEBHOOK_TIMEOUT_MS = "10000"
    EMAIL_TIMEOUT_MS   = "20000"
  }
}

# Built by npm run build:aws.
data "archive_file" "bundle" {
  for_each    = toset(["api", "scheduler", "recovery", "worker", "dead-letters"])
  type        = "zip"
  source_dir  = "${path.module}/../../../build/aws/${each.key}"
  output_path = "${path.module}/../../../build/aws/${each.key}.zip"
}

# --- the API ---------------------------------------------------------------------------------------------------------

resource "aws_apigatewayv2_api" "http" {
  name          = var.name
  protocol_type = "HTTP"
}

resource "aws_apigatewayv2_stage" "default" {
  api_id      = aws_apigatewayv2_api.http.id
  name        = "$default"
  auto_deploy = true
  default_route_settings {
    throttling_rate_limit  = 200
    throttling_burst_limit = 400
  }
  # Without the path: the URL of a calendar feed is its secret, and others have ids and searched names.
  access_log_settings {
    destination_arn = aws_cloudwatch_log_group.access.arn
    format          = "{\"requestId\":\"$context.requestId\",\"ip\":\"$context.identity.sourceIp\",\"time\":\"$context.requestTime\",\"method\":\"$context.httpMethod\",\"status\":\"$context.status\",\"responseLength\":\"$context.responseLength\",\"latency\":\"$context.responseLatency\",\"error\":\"$context.integrationErrorMessage\"}"
  }
}

resource "aws_apigatewayv2_integration" "api" {
  api_id                 = aws_apigatewayv2_api.http.id
  integration_type       = "AWS_PROXY"
  integration_uri        = aws_lambda_function.api.invoke_arn
  payload_format_version = "2.0"
}

resource "aws_apigatewayv2_route" "any" {
  api_id    = aws_apigatewayv2_api.http.id
  route_key = "$default"
  target    = "integrations/${aws_apigatewayv2_integration.api.id}"
}

resource "aws_lambda_permission" "api" {
  function_name = aws_lambda_function.api.function_name
  action        = "lambda:InvokeFunction"
  principal     = "apigateway.amazonaws.com"
  source_arn    = "${aws_apigatewayv2_api.http.execution_arn}/*"
}

resource "aws_lambda_function" "api" {
  function_name    = "${var.name}-api"
  filename         = data.archive_file.bundle["api"].output_path
  source_code_hash = data.archive_file.bundle["api"].output_base64sha256
  runtime          = "nodejs24.x"
  architectures    = ["arm64"]
  handler          = "index.handler"
  role             = aws_iam_role.api.arn
  timeout          = 25
  memory_size      = 1024
  vpc_config {
    subnet_ids         = var.subnet_ids
    security_group_ids = var.security_group_ids
  }
  environment {
    variables = local.settings
  }
  logging_config {
    log_format = "Text"
    log_group  = aws_cloudwatch_log_group.api.name
  }
  depends_on = [aws_iam_role_policy_attachment.network]
}

# --- from due to the queue -------------------------------------------------------------------------------------------

resource "aws_lambda_function" "scheduler" {
  function_name    = "${var.name}-scheduler"
  filename         = data.archive_file.bundle["scheduler"].output_path
  source_code_hash = data.archive_file.bundle["scheduler"].output_base64sha256
  runtime          = "nodejs24.x"
  architectures    = ["arm64"]
  handler          = "index.handler"
  role             = aws_iam_role.scheduler.arn
  timeout          = 60
  memory_size      = 512
  vpc_config {
    subnet_ids         = var.subnet_ids
    security_group_ids = var.security_group_ids
  }
  environment {
    variables = merge(local.settings, {
      QUEUE_URL = aws_sqs_queue.deliveries.url
    })
  }
  logging_config {
    log_format = "Text"
    log_group  = aws_cloudwatch_log_group.scheduler.name
  }
  depends_on = [aws_iam_role_policy_attachment.network]
}

# No retry of a failed or late call: the next one is a minute away.
resource "aws_lambda_function_event_invoke_config" "scheduler" {
  function_name                = aws_lambda_function.scheduler.function_name
  maximum_retry_attempts       = 0
  maximum_event_age_in_seconds = 60
}

resource "aws_cloudwatch_event_rule" "every_minute" {
  name                = "${var.name}-every-minute"
  schedule_expression = "rate(1 minute)"
}

resource "aws_cloudwatch_event_target" "every_minute" {
  rule = aws_cloudwatch_event_rule.every_minute.name
  arn  = aws_lambda_function.scheduler.arn
}

resource "aws_lambda_permission" "every_minute" {
  function_name = aws_lambda_function.scheduler.function_name
  action        = "lambda:InvokeFunction"
  principal     = "events.amazonaws.com"
  source_arn    = aws_cloudwatch_event_rule.every_minute.arn
}

resource "aws_lambda_function" "recovery" {
  function_name    = "${var.name}-recovery"
  filename         = data.archive_file.bundle["recovery"].output_path
  source_code_hash = data.archive_file.bundle["recovery"].output_base64sha256
  runtime          = "nodejs24.x"
  architectures    = ["arm64"]
  handler          = "index.handler"
  role             = aws_iam_role.recovery.arn
  timeout          = 900
  memory_size      = 512
  vpc_config {
    subnet_ids         = var.subnet_ids
    security_group_ids = var.security_group_ids
  }
  environment {
    variables = merge(local.settings, {
      QUEUE_URL   = aws_sqs_queue.deliveries.url
      PRUNE_AFTER = var.prune_after
    })
  }
  logging_config {
    log_format = "Text"
    log_group  = aws_cloudwatch_log_group.recovery.name
  }
  depends_on = [aws_iam_role_policy_attachment.network]
}

resource "aws_lambda_function_event_invoke_config" "recovery" {
  function_name          = aws_lambda_function.recovery.function_name
  maximum_retry_attempts = 0
}

resource "aws_cloudwatch_event_rule" "every_hour" {
  name                = "${var.name}-every-hour"
  schedule_expression = "rate(1 hour)"
}

resource "aws_cloudwatch_event_target" "every_hour" {
  rule = aws_cloudwatch_event_rule.every_hour.name
  arn  = aws_lambda_function.recovery.arn
}

resource "aws_lambda_permission" "every_hour" {
  function_name = aws_lambda_function.recovery.function_name
  action        = "lambda:InvokeFunction"
  principal     = "events.amazonaws.com"
  source_arn    = aws_cloudwatch_event_rule.every_hour.arn
}

resource "aws_sqs_queue" "deliveries" {
  name                      = "${var.name}-deliveries"
  sqs_managed_sse_enabled   = true
  message_retention_seconds = 86400
  # More than six times the timeout of a worker, as AWS recommends.
  visibility_timeout_seconds = 200
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dead_letters.arn
    maxReceiveCount     = 4
  })
}

resource "aws_sqs_queue" "dead_letters" {
  name                       = "${var.name}-dead-letters"
  sqs_managed_sse_enabled    = true
  message_retention_seconds  = 1209600
  visibility_timeout_seconds = 200
}

# --- from the queue to the receivers ---------------------------------------------------------------------------------

resource "aws_lambda_function" "worker" {
  function_name    = "${var.name}-worker"
  filename         = data.archive_file.bundle["worker"].output_path
  source_code_hash = data.archive_file.bundle["worker"].output_base64sha256
  runtime          = "nodejs24.x"
  architectures    = ["arm64"]
  handler          = "index.handler"
  role             = aws_iam_role.worker.arn
  timeout          = 30
  memory_size      = 512
  vpc_config {
    subnet_ids         = var.subnet_ids
    security_group_ids = var.security_group_ids
  }
  environment {
    variables = merge(local.settings, {
      QUEUE_URL = aws_sqs_queue.deliveries.url
    })
  }
  logging_config {
    log_format = "Text"
    log_group  = aws_cloudwatch_log_group.worker.name
  }
  depends_on = [aws_iam_role_policy_attachment.network]
}

resource "aws_lambda_event_source_mapping" "worker" {
  event_source_arn                   = aws_sqs_queue.deliveries.arn
  function_name                      = aws_lambda_function.worker.arn
  batch_size                         = 100
  maximum_batching_window_in_seconds = 1
  function_response_types            = ["ReportBatchItemFailures"]
  # Not reserved concurrency: it would return throttled messages to the queue and use up their receives.
  scaling_config {
    maximum_concurrency = var.worker_concurrency
  }
  depends_on = [aws_iam_role_policy.worker]
}

resource "aws_lambda_function" "dead_letters" {
  function_name    = "${var.name}-dead-letters"
  filename         = data.archive_file.bundle["dead-letters"].output_path
  source_code_hash = data.archive_file.bundle["dead-letters"].output_base64sha256
  runtime          = "nodejs24.x"
  architectures    = ["arm64"]
  handler          = "index.handler"
  role             = aws_iam_role.dead_letters.arn
  timeout          = 30
  memory_size      = 512
  vpc_config {
    subnet_ids         = var.subnet_ids
    security_group_ids = var.security_group_ids
  }
  environment {
    variables = merge(local.settings, {
      QUEUE_URL = aws_sqs_queue.dead_letters.url
    })
  }
  logging_config {
    log_format = "Text"
    log_group  = aws_cloudwatch_log_group.worker.name
  }
  depends_on = [aws_iam_role_policy_attachment.network]
}

resource "aws_lambda_event_source_mapping" "dead_letters" {
  event_source_arn        = aws_sqs_queue.dead_letters.arn
  function_name           = aws_lambda_function.dead_letters.arn
  batch_size              = 10
  function_response_types = ["ReportBatchItemFailures"]
  scaling_config {
    maximum_concurrency = 2
  }
  depends_on = [aws_iam_role_policy.dead_letters]
}
