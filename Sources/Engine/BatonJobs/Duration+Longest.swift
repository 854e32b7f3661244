extension Duration {
  /// The longest wait that a job may request, so that no sum of times exceeds what PostgreSQL can
  /// store.
  static let longestWait = Duration.seconds(3_653 * 86_400)
}
