/// The W3C trace contexts of a run's events, as set by the transactions that wrote them.
///
/// The first trace context belongs to the event that created the run. All trace contexts after the
/// first belong to events that were merged into the run.
struct RunTrace: Sendable, Equatable {
  /// The trace contexts, oldest first.
  ///
  /// Each context is 55 characters long.
  ///
  /// The list of contexts is never empty.
  let traceparents: [String]

  /// Parses the `run.trace` column, in which spaces separate the contexts.
  ///
  /// If none of the run's events were traced, the initializer returns nil.
  init?(_ text: String?) {
    guard let text, !text.isEmpty else { return nil }
    traceparents = text.split(separator: " ").map(String.init)
  }

  /// The id of the first trace as 32 hexadecimal digits, as written to the logs.
  var id: String { String(traceparents[0].dropFirst(3).prefix(32)) }
}
