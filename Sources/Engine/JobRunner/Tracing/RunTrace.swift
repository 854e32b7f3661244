/// The traces that a run's events came from, as the transactions that wrote them had set them.
///
/// W3C trace contexts; the first is of the event that made the run, the others were merged into it.
struct RunTrace: Sendable, Equatable {
  /// Never empty, the oldest first; 55 characters each.
  let traceparents: [String]

  /// From the column `run.trace`, a blank between two; nil: no event was traced.
  init?(_ text: String?) {
    guard let text, !text.isEmpty else { return nil }
    traceparents = text.split(separator: " ").map(String.init)
  }

  /// The id of the first trace, 32 hexadecimal digits: what logs have.
  var id: String { String(traceparents[0].dropFirst(3).prefix(32)) }
}
