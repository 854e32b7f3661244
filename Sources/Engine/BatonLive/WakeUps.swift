/// The wake-ups since the last poll: the feeds with any change, and those with changes of certain keys only.
struct WakeUps: Sendable {
  private var feeds: Set<String> = []
  private var keys: [String: Set<String>] = [:]

  /// The topics of a feed that a poll checks.
  enum Scope: Sendable, Equatable {
    /// All topics of the feed.
    case all
    /// The topics with these keys, and those with an observer that has received no snapshot yet.
    case keys(Set<String>)
  }

  /// Adds a payload: the feed's name, then one key in each line.
  ///
  /// A payload without keys means all topics of the feed.
  mutating func take(_ payload: String) {
    let lines = payload.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.first else { return }
    if lines.count == 1 {
      feeds.insert(String(first))
    } else {
      keys[String(first), default: []].formUnion(lines.dropFirst().map { String($0) })
    }
  }

  /// Notes that all topics of these feeds must be checked.
  mutating func take(all names: Set<String>) { feeds.formUnion(names) }

  /// The topics of a feed to check; nil: the feed had no wake-up.
  func scope(of feed: String) -> Scope? {
    feeds.contains(feed) ? .all : keys[feed].map { .keys($0) }
  }
}
