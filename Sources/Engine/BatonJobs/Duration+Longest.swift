extension Duration {
  /// The maximum wait that a job may request.
  ///
  /// With a maximum wait of ten years, no sum of times exceeds the range of PostgreSQL's
  /// timestamps.
  static let longestWait = Duration.seconds(3_653 * 86_400)
}
