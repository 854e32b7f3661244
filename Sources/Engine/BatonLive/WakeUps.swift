/// The wake-ups since the last poll, which concern either all topics or only certain topics of a
/// feed.
struct WakeUps: Sendable {
  private var feeds: Set<String> = []
  private var keys: [String: Set<ExactText>] = [:]

  /// The topics of a feed that a poll checks.
  enum Scope: Sendable, Equatable {
    /// The poll checks all topics of the feed.
    case all
    /// The poll checks the topics with the given keys, and the topics of observers without a
    /// snapshot.
    case keys(Set<ExactText>)
  }

  /// Adds a NOTIFY payload, which contains the feed's name and one key on each of the following
  /// lines.
  ///
  /// A payload without keys refers to all topics of the feed.
  mutating func take(_ payload: String) {
    // The payload is split as bytes, because Swift treats `\r\n` as one `Character`.
    let lines = payload.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard let first = lines.first else { return }
    if lines.count == 1 {
      feeds.insert(first)
    } else {
      keys[first, default: []].formUnion(lines.dropFirst().map { ExactText($0) })
    }
  }

  /// Records that all topics of the given feeds must be checked.
  mutating func take(all names: Set<String>) { feeds.formUnion(names) }

  /// Returns the topics of a feed to check, or nil if the feed had no wake-up.
  func scope(of feed: String) -> Scope? {
    feeds.contains(feed) ? .all : keys[feed].map { .keys($0) }
  }
}
