extension Duration {
  /// The maximum wait that a job may request.
  ///
  /// With this maximum wait, no sum of times exceeds the range of PostgreSQL's timestamps.
  static let longestWait = Duration.seconds(3_653 * 86_400)
}
