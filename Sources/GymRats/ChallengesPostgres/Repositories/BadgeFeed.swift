import BatonLive
import BatonPostgres
import Challenges
import ChallengesSQL
import ProductPostgres
import Synchronization

/// A live feed of each user's unread notification count.
///
/// PostgreSQL does not notify the feed when a number changes, so the feed counts unread
/// notifications at each poll. Each poll counts the notifications of up to 500 users, so that other
/// live feeds are not delayed. A user's unread notifications are counted at most once every two
/// seconds.
///
/// The page docs/internals/live.md describes live feeds.
struct BadgeFeed: StreamableFeed {
  /// A topic is a user's id.
  typealias Topic = ExactText
  typealias Viewer = ExactText
  typealias Value = Int
  typealias Failure = DomainError
  typealias Element = Result<Int, DomainError>

  let name = "badges"
  let late = Element.failure(.networkUnavailable)
  private let round = CountRound()

  func failure(_ error: any Error) -> Element {
    .failure((error as? PostgresError).flatMap { DomainError($0) } ?? .networkUnavailable)
  }

  func element(of snapshot: Int, for viewer: ExactText) -> Element { .success(snapshot) }

  func text(of version: Int) -> String { String(version) }

  func listChanged(
    _ known: [(topic: ExactText, version: Int?)], on session: Session
  ) async throws -> [ExactText] {
    let counted = round.next(of: known.map(\.topic))
    let numbers = try await Self.numbers(of: counted, on: session)
    let isCounted = Set(counted)
    return known.filter { topic, version in
      version == nil || (isCounted.contains(topic) && version != numbers[topic])
    }.map(\.topic)
  }

  /// Reads the unread notification counts.
  ///
  /// A viewer sees only the viewer's own unread notification count. A viewer without an account is
  /// rejected with `notAuthenticated`.
  func read(
    _ topics: [ExactText], for viewers: [(topic: ExactText, viewer: ExactText)],
    on session: Session
  ) async throws -> LiveReading<Self> {
    var reading = LiveReading<Self>()
    guard !topics.isEmpty else { return reading }
    let numbers = try await Self.numbers(of: topics, on: session)
    for topic in topics {
      if let number = numbers[topic] { reading.topics[topic] = (number, number) }
    }
    let missing = Set(topics.filter { numbers[$0] == nil })
    for (place, pair) in viewers.enumerated() where missing.contains(pair.topic) {
      reading.refusals[place] = .failure(.notAuthenticated)
    }
    return reading
  }

  /// Returns the unread notification count for each user who has an account.
  private static func numbers(
    of users: [ExactText], on session: Session
  ) async throws -> [ExactText: Int] {
    guard !users.isEmpty else { return [:] }
    let list = Call.rows(SQL.Api.observedBadges, users.map(\.text)) {
      (row) throws(PostgresError) in try row.decode(Int64.self, Int32.self)
    }
    let rows: [(Int64, Int32)] = try await session.atomically(list)
    var numbers: [ExactText: Int] = [:]
    for (position, number) in rows { numbers[try users.element(position)] = Int(number) }
    return numbers
  }
}

/// A counting round, with the users whose unread notifications must still be counted.
private final class CountRound: Sendable {
  private struct State {
    var left: [ExactText] = []
    var began: ContinuousClock.Instant?
  }

  /// The minimum time between the starts of two counting rounds.
  private static let pause = Duration.seconds(2)
  /// The maximum number of users per poll.
  private static let most = 500

  private let state = Mutex(State())

  /// Returns the next users of the current round, or of a new round if one is due.
  func next(of users: [ExactText]) -> [ExactText] {
    state.withLock { state in
      let isDue = state.began.map { $0.duration(to: .now) >= Self.pause } ?? true
      if state.left.isEmpty, isDue { (state.left, state.began) = (users, .now) }
      let part = Array(state.left.suffix(Self.most))
      state.left.removeLast(part.count)
      return part
    }
  }
}
