import BatonLive
import BatonPostgres
import Challenges
import ChallengesSQL
import ProductPostgres
import Synchronization

/// A live feed of the numbers of users' unread notifications.
///
/// No publisher wakes the feed, so a changed number is found by counting. All numbers are counted
/// with one statement, at most once per second.
///
/// The page docs/internals/live.md describes live feeds.
struct BadgeFeed: StreamableFeed {
  /// The id of the user.
  typealias Topic = ExactText
  typealias Viewer = ExactText
  typealias Value = Int
  typealias Failure = DomainError
  typealias Element = Result<Int, DomainError>

  /// The minimum time between two counts of all numbers.
  private static let pause = Duration.seconds(1)

  let name = "badges"
  let late = Element.failure(.networkUnavailable)
  private let counts = CountTime()

  func failure(_ error: any Error) -> Element {
    .failure((error as? PostgresError).flatMap { DomainError($0) } ?? .networkUnavailable)
  }

  func element(of snapshot: Int, for viewer: ExactText) -> Element { .success(snapshot) }

  func text(of version: Int) -> String { String(version) }

  func listChanged(
    _ known: [(topic: ExactText, version: Int?)], on session: Session
  ) async throws -> [ExactText] {
    guard counts.begin(after: Self.pause) else {
      return known.filter { $0.version == nil }.map(\.topic)
    }
    let numbers = try await Self.numbers(of: known.map(\.topic), on: session)
    return known.filter { $0.version == nil || $0.version != numbers[$0.topic] }.map(\.topic)
  }

  func read(
    _ topics: [ExactText], for viewers: [(topic: ExactText, viewer: ExactText)],
    on session: Session
  ) async throws -> LiveReading<Self> {
    let users = Array(Set(topics + viewers.map(\.viewer)))
    let numbers = try await Self.numbers(of: users, on: session)
    var reading = LiveReading<Self>()
    for topic in topics {
      if let number = numbers[topic] { reading.topics[topic] = (number, number) }
    }
    for (place, pair) in viewers.enumerated() where numbers[pair.viewer] == nil {
      reading.refusals[place] = .failure(.notAuthenticated)
    }
    return reading
  }

  /// Returns the numbers of the users who have an account.
  private static func numbers(
    of users: [ExactText], on session: Session
  ) async throws -> [ExactText: Int] {
    let list = Call.rows(SQL.Api.observedBadges, users.map(\.text)) {
      (row) throws(PostgresError) in try row.decode(Int64.self, Int32.self)
    }
    let rows: [(Int64, Int32)] = try await session.atomically(list)
    var numbers: [ExactText: Int] = [:]
    for (position, number) in rows { numbers[try users.element(position)] = Int(number) }
    return numbers
  }
}

/// The time of the last count of all numbers.
private final class CountTime: Sendable {
  private let last = Mutex<ContinuousClock.Instant?>(nil)

  /// Returns whether a count is due, and stores its time.
  func begin(after pause: Duration) -> Bool {
    last.withLock { last in
      if let last, last.duration(to: .now) < pause { return false }
      last = ContinuousClock.now
      return true
    }
  }
}
