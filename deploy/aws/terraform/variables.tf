variable "name" {
  type        = string
  description = "Begins the names of all resources, for a second installation in the same account and region."
  default     = "terce"
}

variable "secret_arn" {
  type        = string
  description = "ARN of a secret in Secrets Manager with DATABASE_URL, TERCE_API_KEYS, TERCE_SECRET_KEY and WEBHOOK_SECRET. The functions read it when they start."
  validation {
    condition     = can(regex("^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\\d{12}:secret:.+$", var.secret_arn))
    error_message = "Give the ARN of a secret in Secrets Manager."
  }
}

variable "webhook_url" {
  type        = string
  description = "Destination of messages whose occasion names no channel. Leave it empty to create channels over the API."
  default     = ""
}

variable "subnet_ids" {
  type        = list(string)
  description = "Private subnets that reach the database, and the internet through a NAT gateway."
}

variable "security_group_ids" {
  type        = list(string)
  description = "Security groups that the database accepts."
}

variable "worker_concurrency" {
  type        = number
  description = "Maximum number of concurrent workers. Each has two connections to the database."
  default     = 10
  validation {
    condition     = var.worker_concurrency >= 2 && var.worker_concurrency <= 1000
    error_message = "Give a number from 2 to 1000."
  }
}

variable "deliver_at" {
  type        = string
  description = "Local delivery time of birthdays, and of occasions without a time of their own, created from now on."
  default     = "09:00"
  validation {
    condition     = can(regex("^([01]\\d|2[0-3]):[0-5]\\d$", var.deliver_at))
    error_message = "Give a time of day such as 09:00."
  }
}

variable "prune_after" {
  type        = string
  description = "How long settled events are kept, such as 400d. Leave it empty to keep them indefinitely."
  default     = ""
  validation {
    condition     = can(regex("^(\\d{1,6}(ms|s|m|h|d))?$", var.prune_after))
    error_message = "Give a length of time such as 400d."
  }
}

variable "log_level" {
  type    = string
  default = "info"
  validation {
    condition     = contains(["trace", "debug", "info", "warn", "error", "fatal", "silent"], var.log_level)
    error_message = "Give trace, debug, info, warn, error, fatal or silent."
  }
}

variable "log_retention_days" {
  type    = number
  default = 30
  validation {
    condition     = contains([1, 3, 5, 7, 14, 30, 60, 90, 180, 365], var.log_retention_days)
    error_message = "Give 1, 3, 5, 7, 14, 30, 60, 90, 180 or 365."
  }
}

variable "alarm_topic_arn" {
  type        = string
  description = "An SNS topic for alarms. Leave it empty for none."
  default     = ""
}
