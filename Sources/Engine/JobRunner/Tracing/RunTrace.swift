/// The traces of a run's events, as set by the transactions that wrote them.
///
/// They are W3C trace contexts. The first belongs to the event that made the run; the others belong to events that
/// were merged into it.
struct RunTrace: Sendable, Equatable {
  /// Never empty, the oldest first; 55 characters each.
  let traceparents: [String]

  /// Parses the column `run.trace`, with spaces between the contexts; nil if no event was traced.
  init?(_ text: String?) {
    guard let text, !text.isEmpty else { return nil }
    traceparents = text.split(separator: " ").map(String.init)
  }

  /// The id of the first trace, 32 hexadecimal digits, as in the logs.
  var id: String { String(traceparents[0].dropFirst(3).prefix(32)) }
}
