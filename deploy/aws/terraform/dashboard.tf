resource "aws_cloudwatch_dashboard" "terce" {
  dashboard_name = "${var.name}-${aws_sqs_queue.deliveries.region}"
  dashboard_body = jsonencode({
    widgets = [
      {
        type   = "metric"
        x      = 0
        y      = 0
        width  = 12
        height = 6
        properties = {
          title   = "Events due and not claimed"
          region  = aws_sqs_queue.deliveries.region
          view    = "timeSeries"
          period  = 60
          metrics = [[local.namespace, "terce_due_events"]]
          stat    = "Maximum"
        }
      },
      {
        type   = "metric"
        x      = 12
        y      = 0
        width  = 12
        height = 6
        properties = {
          title   = "Oldest event due and not claimed (s)"
          region  = aws_sqs_queue.deliveries.region
          view    = "timeSeries"
          period  = 60
          metrics = [[local.namespace, "terce_oldest_due_seconds"]]
          stat    = "Maximum"
        }
      },
      {
        type   = "metric"
        x      = 0
        y      = 6
        width  = 12
        height = 6
        properties = {
          title   = "Settled events by type and outcome"
          region  = aws_sqs_queue.deliveries.region
          view    = "timeSeries"
          period  = 60
          metrics = [[{ expression = "SEARCH('{\"${local.namespace}\",type,outcome} MetricName=\"terce_settled_events_total\"', 'Sum', 60)", id = "e1" }]]
        }
      },
      {
        type   = "metric"
        x      = 12
        y      = 6
        width  = 12
        height = 6
        properties = {
          title   = "Attempts by channel and outcome"
          region  = aws_sqs_queue.deliveries.region
          view    = "timeSeries"
          period  = 60
          metrics = [[{ expression = "SEARCH('{\"${local.namespace}\",channel,outcome} MetricName=\"terce_deliveries_total\"', 'Sum', 60)", id = "e1" }]]
        }
      },
      {
        type   = "metric"
        x      = 0
        y      = 12
        width  = 12
        height = 6
        properties = {
          title   = "Lateness of first attempts (s)"
          region  = aws_sqs_queue.deliveries.region
          view    = "timeSeries"
          period  = 60
          metrics = [[local.namespace, "terce_delivery_lateness_seconds", { stat = "p50" }], [local.namespace, "terce_delivery_lateness_seconds", { stat = "p99" }]]
        }
      },
      {
        type   = "metric"
        x      = 12
        y      = 12
        width  = 12
        height = 6
        properties = {
          title   = "Duration of attempts, p99 (s)"
          region  = aws_sqs_queue.deliveries.region
          view    = "timeSeries"
          period  = 60
          metrics = [[{ expression = "SEARCH('{\"${local.namespace}\",channel} MetricName=\"terce_delivery_duration_seconds\"', 'p99', 60)", id = "e1" }]]
        }
      },
      {
        type   = "metric"
        x      = 0
        y      = 18
        width  = 12
        height = 6
        properties = {
          title   = "Open circuit breakers"
          region  = aws_sqs_queue.deliveries.region
          view    = "timeSeries"
          period  = 60
          metrics = [[{ expression = "SEARCH('{\"${local.namespace}\",channel,state} MetricName=\"terce_breaker_state\"', 'Maximum', 60)", id = "e1" }]]
        }
      },
      {
        type   = "metric"
        x      = 12
        y      = 18
        width  = 12
        height = 6
        properties = {
          title   = "Runs"
          region  = aws_sqs_queue.deliveries.region
          view    = "timeSeries"
          period  = 60
          metrics = [[{ expression = "SEARCH('{\"${local.namespace}\",outcome,of} MetricName=\"terce_runs_total\"', 'Sum', 60)", id = "e1" }]]
        }
      },
      {
        type   = "metric"
        x      = 0
        y      = 24
        width  = 12
        height = 6
        properties = {
          title   = "Errors by operation"
          region  = aws_sqs_queue.deliveries.region
          view    = "timeSeries"
          period  = 60
          metrics = [[{ expression = "SEARCH('{\"${local.namespace}\",operation} MetricName=\"terce_errors_total\"', 'Sum', 60)", id = "e1" }]]
        }
      },
      {
        type   = "metric"
        x      = 12
        y      = 24
        width  = 12
        height = 6
        properties = {
          title   = "Dead letters, and age of the oldest message (s)"
          region  = aws_sqs_queue.deliveries.region
          view    = "timeSeries"
          period  = 60
          metrics = [[local.namespace, "terce_dead_letters_total", { stat = "Sum" }], ["AWS/SQS", "ApproximateAgeOfOldestMessage", "QueueName", aws_sqs_queue.deliveries.name, { stat = "Maximum", yAxis = "right" }]]
        }
      },
      {
        type   = "metric"
        x      = 0
        y      = 30
        width  = 12
        height = 6
        properties = {
          title   = "Unexplained and surplus messages of the ledger, seven days"
          region  = aws_sqs_queue.deliveries.region
          view    = "timeSeries"
          period  = 60
          stat    = "Maximum"
          metrics = [[local.namespace, "terce_ledger_unexplained"], [local.namespace, "terce_ledger_surplus"]]
        }
      },
    ]
  })
}
