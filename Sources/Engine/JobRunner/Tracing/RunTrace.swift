/// The W3C trace contexts of a run's events, as set by the transactions that wrote the events.
///
/// The first trace context belongs to the event that created the run. All trace contexts after the
/// first belong to events that were merged into the run.
struct RunTrace: Sendable, Equatable {
  /// The trace contexts, oldest first.
  ///
  /// Each context has 55 characters.
  ///
  /// The list of contexts is never empty.
  let traceparents: [String]

  /// Parses the column `run.trace`, in which spaces separate the contexts.
  ///
  /// If none of the run's events was traced, the initializer returns nil.
  init?(_ text: String?) {
    guard let text, !text.isEmpty else { return nil }
    traceparents = text.split(separator: " ").map(String.init)
  }

  /// The id of the first trace in 32 hexadecimal digits, as written to the logs.
  var id: String { String(traceparents[0].dropFirst(3).prefix(32)) }
}
