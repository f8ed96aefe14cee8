resource "aws_cloudwatch_log_group" "api" {
  name              = "${var.name}-api"
  retention_in_days = var.log_retention_days
}

resource "aws_cloudwatch_log_group" "scheduler" {
  name              = "${var.name}-scheduler"
  retention_in_days = var.log_retention_days
}

resource "aws_cloudwatch_log_group" "worker" {
  name              = "${var.name}-worker"
  retention_in_days = var.log_retention_days
}

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
  alarm_description   = "The scheduler is not called. Nothing new is delivered."
  namespace           = "AWS/Lambda"
  metric_name         = "Invocations"
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  threshold           = 1
  comparison_operator = "LessThanThreshold"
  treat_missing_data  = "breaching"
  dimensions          = { FunctionName = aws_lambda_function.scheduler.function_name }
  alarm_actions       = local.alarm_actions
}
