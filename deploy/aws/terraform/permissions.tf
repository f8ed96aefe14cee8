locals {
  assume_role = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect    = "Allow"
        Principal = { Service = "lambda.amazonaws.com" }
        Action    = "sts:AssumeRole"
      },
    ]
  })
}

resource "aws_iam_policy" "network" {
  name        = "${var.name}-network"
  description = "Needed by every function in a VPC. EC2 has no narrower resource for these actions."
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect = "Allow"
        Action = [
          "ec2:AssignPrivateIpAddresses",
          "ec2:CreateNetworkInterface",
          "ec2:DeleteNetworkInterface",
          "ec2:DescribeNetworkInterfaces",
          "ec2:DescribeSubnets",
          "ec2:UnassignPrivateIpAddresses",
        ]
        Resource = "*"
      },
      # Lambda uses these rights, the code of a function does not: only requests of its code have this key.
      {
        Effect = "Deny"
        Action = [
          "ec2:AssignPrivateIpAddresses",
          "ec2:CreateNetworkInterface",
          "ec2:DeleteNetworkInterface",
          "ec2:DescribeNetworkInterfaces",
          "ec2:DescribeSubnets",
          "ec2:UnassignPrivateIpAddresses",
        ]
        Resource  = "*"
        Condition = { Null = { "lambda:SourceFunctionArn" = "false" } }
      },
    ]
  })
}

resource "aws_iam_role_policy_attachment" "network" {
  for_each = {
    api          = aws_iam_role.api.name
    scheduler    = aws_iam_role.scheduler.name
    recovery     = aws_iam_role.recovery.name
    worker       = aws_iam_role.worker.name
    dead_letters = aws_iam_role.dead_letters.name
  }
  role       = each.value
  policy_arn = aws_iam_policy.network.arn
}

resource "aws_iam_role" "api" {
  name               = "${var.name}-api"
  assume_role_policy = local.assume_role
}

resource "aws_iam_role_policy" "api" {
  name = "own"
  role = aws_iam_role.api.name
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect   = "Allow"
        Action   = ["logs:CreateLogStream", "logs:PutLogEvents"]
        Resource = "${aws_cloudwatch_log_group.api.arn}:*"
      },
      {
        Effect   = "Allow"
        Action   = ["secretsmanager:GetSecretValue"]
        Resource = var.secret_arn
      },
    ]
  })
}

resource "aws_iam_role" "scheduler" {
  name               = "${var.name}-scheduler"
  assume_role_policy = local.assume_role
}

resource "aws_iam_role_policy" "scheduler" {
  name = "own"
  role = aws_iam_role.scheduler.name
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect   = "Allow"
        Action   = ["logs:CreateLogStream", "logs:PutLogEvents"]
        Resource = "${aws_cloudwatch_log_group.scheduler.arn}:*"
      },
      {
        Effect   = "Allow"
        Action   = ["secretsmanager:GetSecretValue"]
        Resource = var.secret_arn
      },
      {
        Effect   = "Allow"
        Action   = ["sqs:SendMessage"]
        Resource = aws_sqs_queue.deliveries.arn
      },
    ]
  })
}

resource "aws_iam_role" "recovery" {
  name               = "${var.name}-recovery"
  assume_role_policy = local.assume_role
}

resource "aws_iam_role_policy" "recovery" {
  name = "own"
  role = aws_iam_role.recovery.name
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect   = "Allow"
        Action   = ["logs:CreateLogStream", "logs:PutLogEvents"]
        Resource = "${aws_cloudwatch_log_group.recovery.arn}:*"
      },
      {
        Effect   = "Allow"
        Action   = ["secretsmanager:GetSecretValue"]
        Resource = var.secret_arn
      },
      {
        Effect   = "Allow"
        Action   = ["sqs:SendMessage"]
        Resource = aws_sqs_queue.deliveries.arn
      },
    ]
  })
}

resource "aws_iam_role" "worker" {
  name               = "${var.name}-worker"
  assume_role_policy = local.assume_role
}

resource "aws_iam_role_policy" "worker" {
  name = "own"
  role = aws_iam_role.worker.name
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect   = "Allow"
        Action   = ["logs:CreateLogStream", "logs:PutLogEvents"]
        Resource = "${aws_cloudwatch_log_group.worker.arn}:*"
      },
      {
        Effect   = "Allow"
        Action   = ["secretsmanager:GetSecretValue"]
        Resource = var.secret_arn
      },
      {
        Effect   = "Allow"
        Action   = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility", "sqs:GetQueueAttributes"]
        Resource = aws_sqs_queue.deliveries.arn
      },
    ]
  })
}

resource "aws_iam_role" "dead_letters" {
  name               = "${var.name}-dead-letters"
  assume_role_policy = local.assume_role
}

resource "aws_iam_role_policy" "dead_letters" {
  name = "own"
  role = aws_iam_role.dead_letters.name
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect   = "Allow"
        Action   = ["logs:CreateLogStream", "logs:PutLogEvents"]
        Resource = "${aws_cloudwatch_log_group.worker.arn}:*"
      },
      {
        Effect   = "Allow"
        Action   = ["secretsmanager:GetSecretValue"]
        Resource = var.secret_arn
      },
      {
        Effect   = "Allow"
        Action   = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility", "sqs:GetQueueAttributes"]
        Resource = aws_sqs_queue.dead_letters.arn
      },
    ]
  })
}
