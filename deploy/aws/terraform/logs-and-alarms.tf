# --- logs, which outlive the deployment -------------------------------------------------------------------------------

resource "aws_cloudwatch_log_group" "api" {
  name              = "${var.name}-api"
  retention_in_days = var.log_retention_days
  skip_destroy      = true
}

resource "aws_cloudwatch_log_group" "access" {
  name              = "${var.name}-access"
  retention_in_days = var.log_retention_days
  skip_destroy      = true
}

resource "aws_cloudwatch_log_group" "scheduler" {
  name              = "${var.name}-scheduler"
  retention_in_days = var.log_retention_days
  skip_destroy      = true
}

resource "aws_cloudwatch_log_group" "recovery" {
  name              = "${var.name}-recovery"
  retention_in_days = var.log_retention_days
  skip_destroy      = true
}

resource "aws_cloudwatch_log_group" "worker" {
  name              = "${var.name}-worker"
  retention_in_days = var.log_retention_days
  skip_destroy      = true
}

# --- alarms ----------------------------------------------------------------------------------------------------------

locals {
  alarm_actions = var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]
}

resource "aws_cloudwatch_metric_alarm" "dead_letters" {
  alarm_name        = "${var.name}-dead-letters"
  alarm_description = "Messages reached the maximum number of receives. Their events are FAILED with QUEUE_EXHAUSTED. See the log of the workers."
  # Messages received, not messages visible: the consumer removes them at once.
  namespace           = "AWS/SQS"
  metric_name         = "NumberOfMessagesReceived"
  statistic           = "Sum"
  period              = 60
  evaluation_periods  = 1
  threshold           = 1
  comparison_operator = "GreaterThanOrEqualToThreshold"
  treat_missing_data  = "notBreaching"
  dimensions          = { QueueName = aws_sqs_queue.dead_letters.name }
  alarm_actions       = local.alarm_actions
}

resource "aws_cloudwatch_metric_alarm" "backlog" {
  alarm_name         = "${var.name}-backlog"
  alarm_description  = "The workers do not keep up. Raise worker_concurrency, or check whether they fail."
  namespace          = "AWS/SQS"
  metric_name        = "ApproximateAgeOfOldestMessage"
  statistic          = "Maximum"
  period             = 60
  evaluation_periods = 5
  # In seconds: half of the lease.
  threshold           = 600
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "notBreaching"
  dimensions          = { QueueName = aws_sqs_queue.deliveries.name }
  alarm_actions       = local.alarm_actions
}

resource "aws_cloudwatch_metric_alarm" "scheduler_errors" {
  alarm_name          = "${var.name}-scheduler-errors"
  alarm_description   = "The scheduler fails repeatedly. Nothing new is delivered. See its log."
  namespace           = "AWS/Lambda"
  metric_name         = "Errors"
  statistic           = "Sum"
  period              = 60
  evaluation_periods  = 3
  threshold           = 1
  comparison_operator = "GreaterThanOrEqualToThreshold"
  treat_missing_data  = "notBreaching"
  dimensions          = { FunctionName = aws_lambda_function.scheduler.function_name }
  alarm_actions       = local.alarm_actions
}

resource "aws_cloudwatch_metric_alarm" "scheduler_silent" {
  alarm_name          = "${var.name}-scheduler-silent"
  alarm_description   = "No run of the scheduler ended without an error. Nothing new is delivered."
  namespace           = local.namespace
  metric_name         = "terce_runs_total"
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  threshold           = 1
  comparison_operator = "LessThanThreshold"
  treat_missing_data  = "breaching"
  dimensions          = { outcome = "done", of = "scheduler" }
  alarm_actions       = local.alarm_actions
}

resource "aws_cloudwatch_metric_alarm" "oldest_due" {
  alarm_name          = "${var.name}-oldest-due"
  alarm_description   = "Events that have been due for more than two minutes are not claimed. See the log of the scheduler."
  namespace           = local.namespace
  metric_name         = "terce_oldest_due_seconds"
  statistic           = "Maximum"
  period              = 60
  evaluation_periods  = 3
  threshold           = 120
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "notBreaching"
  alarm_actions       = local.alarm_actions
}

resource "aws_cloudwatch_metric_alarm" "failed_events" {
  alarm_name          = "${var.name}-failed-events"
  alarm_description   = "Events are FAILED. Check the reason, fix the cause, replay."
  namespace           = local.namespace
  metric_name         = "terce_settled_events_total"
  statistic           = "Sum"
  period              = 60
  evaluation_periods  = 1
  threshold           = 1
  comparison_operator = "GreaterThanOrEqualToThreshold"
  treat_missing_data  = "notBreaching"
  dimensions          = { outcome = "failed" }
  alarm_actions       = local.alarm_actions
}

resource "aws_cloudwatch_metric_alarm" "breaker_open" {
  alarm_name          = "${var.name}-breaker-open"
  alarm_description   = "The circuit breaker of a channel is open. Its receiver is down."
  namespace           = local.namespace
  metric_name         = "terce_breaker_state"
  statistic           = "Maximum"
  period              = 300
  evaluation_periods  = 1
  threshold           = 1
  comparison_operator = "GreaterThanOrEqualToThreshold"
  treat_missing_data  = "notBreaching"
  dimensions          = { state = "open" }
  alarm_actions       = local.alarm_actions
}

resource "aws_cloudwatch_metric_alarm" "ledger_unexplained" {
  alarm_name          = "${var.name}-ledger-unexplained"
  alarm_description   = "A closed day of the ledger has messages that were owed and that nothing explains. See the line of the day in the log of the recovery run."
  namespace           = local.namespace
  metric_name         = "terce_ledger_unexplained"
  statistic           = "Maximum"
  period              = 300
  evaluation_periods  = 1
  threshold           = 0
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "notBreaching"
  alarm_actions       = local.alarm_actions
}

resource "aws_cloudwatch_metric_alarm" "ledger_surplus" {
  alarm_name          = "${var.name}-ledger-surplus"
  alarm_description   = "A closed day of the ledger has messages that were sent and not owed. See the line of the day in the log of the recovery run."
  namespace           = local.namespace
  metric_name         = "terce_ledger_surplus"
  statistic           = "Maximum"
  period              = 300
  evaluation_periods  = 1
  threshold           = 0
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "notBreaching"
  alarm_actions       = local.alarm_actions
}

resource "aws_cloudwatch_metric_alarm" "worker_errors" {
  alarm_name          = "${var.name}-worker-errors"
  alarm_description   = "Workers fail. Their messages are received again, at most four times. See their log."
  namespace           = "AWS/Lambda"
  metric_name         = "Errors"
  statistic           = "Sum"
  period              = 60
  evaluation_periods  = 3
  threshold           = 1
  comparison_operator = "GreaterThanOrEqualToThreshold"
  treat_missing_data  = "notBreaching"
  dimensions          = { FunctionName = aws_lambda_function.worker.function_name }
  alarm_actions       = local.alarm_actions
}

resource "aws_cloudwatch_metric_alarm" "dead_letters_errors" {
  alarm_name          = "${var.name}-dead-letters-errors"
  alarm_description   = "Dead letters cannot be settled. See the log of the workers."
  namespace           = "AWS/Lambda"
  metric_name         = "Errors"
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  threshold           = 1
  comparison_operator = "GreaterThanOrEqualToThreshold"
  treat_missing_data  = "notBreaching"
  dimensions          = { FunctionName = aws_lambda_function.dead_letters.function_name }
  alarm_actions       = local.alarm_actions
}

resource "aws_cloudwatch_metric_alarm" "recovery_errors" {
  alarm_name          = "${var.name}-recovery-errors"
  alarm_description   = "The recovery run failed. History is not pruned. See its log."
  namespace           = "AWS/Lambda"
  metric_name         = "Errors"
  statistic           = "Sum"
  period              = 3600
  evaluation_periods  = 1
  threshold           = 1
  comparison_operator = "GreaterThanOrEqualToThreshold"
  treat_missing_data  = "notBreaching"
  dimensions          = { FunctionName = aws_lambda_function.recovery.function_name }
  alarm_actions       = local.alarm_actions
}

resource "aws_cloudwatch_metric_alarm" "api_errors" {
  alarm_name          = "${var.name}-api-errors"
  alarm_description   = "The API responds with errors of the server. See its log and the access log."
  namespace           = "AWS/ApiGateway"
  metric_name         = "5xx"
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  threshold           = 5
  comparison_operator = "GreaterThanOrEqualToThreshold"
  treat_missing_data  = "notBreaching"
  dimensions          = { ApiId = aws_apigatewayv2_api.http.id }
  alarm_actions       = local.alarm_actions
}

resource "aws_cloudwatch_metric_alarm" "throttles" {
  alarm_name        = "${var.name}-throttles"
  alarm_description = "Functions are throttled. The concurrency of the account is used up."
  # Of all functions of the account and region: none here has reserved concurrency, so they share one limit.
  namespace           = "AWS/Lambda"
  metric_name         = "Throttles"
  statistic           = "Sum"
  period              = 60
  evaluation_periods  = 3
  threshold           = 1
  comparison_operator = "GreaterThanOrEqualToThreshold"
  treat_missing_data  = "notBreaching"
  alarm_actions       = local.alarm_actions
}
