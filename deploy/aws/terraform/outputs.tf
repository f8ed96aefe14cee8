output "api_url" {
  description = "URL of the API."
  value       = aws_apigatewayv2_api.http.api_endpoint
}

output "recovery_function" {
  description = "Invoke this function once after each deployment."
  value       = aws_lambda_function.recovery.function_name
}

output "deliveries_url" {
  value = aws_sqs_queue.deliveries.url
}

output "dead_letters_url" {
  value = aws_sqs_queue.dead_letters.url
}
