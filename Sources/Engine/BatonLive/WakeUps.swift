/// What publishers have said since the last look: of which feeds anything may have changed, and of which these keys alone.
struct WakeUps: Sendable {
  private var feeds: Set<String> = []
  private var keys: [String: Set<String>] = [:]

  /// What a look at one feed is for.
  enum Scope: Sendable, Equatable {
    /// All of its topics.
    case all
    /// Those that publishers call so, and those that somebody was shown nothing of.
    case keys(Set<String>)
  }

  /// Takes a payload: the feed's name, and behind it the keys, a line each.
  ///
  /// Without keys it speaks of all topics.
  mutating func take(_ payload: String) {
    let lines = payload.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.first else { return }
    if lines.count == 1 {
      feeds.insert(String(first))
    } else {
      keys[String(first), default: []].formUnion(lines.dropFirst().map { String($0) })
    }
  }

  /// All topics of these feeds have to be looked at.
  mutating func take(all names: Set<String>) { feeds.formUnion(names) }

  /// What was said of a feed; nil: nothing.
  func scope(of feed: String) -> Scope? {
    feeds.contains(feed) ? .all : keys[feed].map { .keys($0) }
  }
}
