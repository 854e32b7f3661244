import BatonLive
import BatonPostgres
import Challenges
import ChallengesSQL
import Foundation
import ProductPostgres

/// A live feed of groups' current boards, for the groups' members.
///
/// The page docs/internals/live.md describes live feeds.
struct BoardFeed: LiveFeed {
  struct Topic: Hashable, Sendable {
    let group: ExactText
    let type: ChallengeType
  }

  /// The version of a board, which changes whenever the board's visible content changes.
  struct Version: Equatable, Sendable {
    let board: UUID
    /// The date of the week's Monday.
    ///
    /// The version includes the date, because another board becomes current in the next week.
    let week: String
    let rankVersion: Int64
    /// A number that changes when the set of listed members without a workout changes.
    ///
    /// The number is 0 if the board lists only members with a workout.
    let membersMark: Int64
  }

  /// A board at one point in time, for all of its viewers.
  struct Snapshot: Sendable {
    let challenge: Challenge
    let entries: [LeaderboardEntry]
    /// The index of each member's entry in the entry list.
    let places: [ExactText: Int]
    let rankVersion: Int64
    let takenAt: Date
  }

  typealias Element = Result<LeaderboardSnapshot, DomainError>

  /// The name of the channel that `recompute_ranks` notifies of changes.
  let name = "boards"
  let late = Element.failure(.networkUnavailable)

  /// Converts an error into the stream element that the app receives.
  ///
  /// If the error is not a refusal, the app receives `networkUnavailable`, and
  /// ``LiveOptions/onFailure`` receives the original error.
  func failure(_ error: any Error) -> Element {
    .failure((error as? PostgresError).flatMap { DomainError($0) } ?? .networkUnavailable)
  }

  func element(of snapshot: Snapshot, for viewer: ExactText) -> Element {
    .success(
      LeaderboardSnapshot(
        challenge: snapshot.challenge, entries: snapshot.entries,
        currentUserEntry: snapshot.places[viewer].map { snapshot.entries[$0] },
        rankVersion: snapshot.rankVersion, takenAt: snapshot.takenAt))
  }

  /// Returns the board's id in the format that the server's notifications use.
  func key(of topic: Topic, at version: Version) -> String? {
    version.board.uuidString.lowercased()
  }

  func listChanged(
    _ known: [(topic: Topic, version: Version?)], on session: Session
  ) async throws -> [Topic] {
    // The query gets versions only for boards of the newest known week. The query returns boards
    // without a version as changed.
    let week = known.compactMap(\.version?.week).max()
    let versions = known.map { $0.version?.week == week ? $0.version : nil }
    let list = Call.rows(
      SQL.Api.changedBoards, versions.map { $0?.board },
      versions.map { $0?.rankVersion }, versions.map { $0?.membersMark }, week
    ) { (row) throws(PostgresError) in try row.decode(Int64.self) }
    let numbers: [Int64] = try await session.atomically(list)
    return try numbers.map { try known.element($0).topic }
  }

  func read(
    _ topics: [Topic], for viewers: [(topic: Topic, viewer: ExactText)], on session: Session
  ) async throws -> LiveReading<Self> {
    var reading = try await Self.reading(topics, for: viewers, on: session)
    let missing = topics.filter { reading.topics[$0] == nil }
    guard !missing.isEmpty else { return reading }
    // Missing boards are created only if a viewer may read the group.
    let admitted = viewers.enumerated().filter { reading.refusals[$0.offset] == nil }.map(\.element)
    let viewerOf = Dictionary(admitted.map { ($0.topic.group, $0.viewer) }) { first, _ in first }
    let groups = viewerOf.filter { group in missing.contains { $0.group == group.key } }
    guard try await make(groups, on: session) else { return reading }
    // A viewer may have left the group after the first check. Access is therefore checked again
    // after the boards have been read.
    let made = try await Self.reading(missing, for: viewers, on: session)
    reading.topics.merge(made.topics) { first, _ in first }
    reading.refusals = made.refusals
    return reading
  }

  /// Reads the existing boards, and then the viewers who may not read them.
  private static func reading(
    _ topics: [Topic], for viewers: [(topic: Topic, viewer: ExactText)], on session: Session
  ) async throws -> LiveReading<Self> {
    let (lines, refused): ([RunningBoardLine], [(Int, DomainError)]) = try await session.atomically(
      boards(topics), refusals(viewers))
    return LiveReading<Self>(
      topics: try assembled(lines, of: topics),
      refusals: Dictionary(refused.map { ($0.0, .failure($0.1)) }) { first, _ in first })
  }

  /// Creates the missing boards of the current week, in a separate transaction for each group.
  ///
  /// Each transaction has the privileges of one of the group's viewers. While a transaction creates
  /// boards, the group's first workout of the week may have to wait. Therefore each transaction
  /// waits at most 20 ms for a lock. If a group stays locked, its boards are created at the next
  /// poll.
  ///
  /// - Returns: Whether the boards of at least one group exist after the call.
  private func make(_ groups: [ExactText: ExactText], on session: Session) async throws -> Bool {
    var isAny = false
    for (group, viewer) in groups {
      do throws(PostgresError) {
        _ = try await session.atomically(
          .run(SQL.Leaderboard.limitWait, Int64(20)),
          .count(SQL.Api.currentWeekChallenges, viewer.text, group.text))
        // After the transaction, both boards of the group exist, so the method returns true.
        isAny = true
      } catch {
        // If the group is locked, the next poll tries again to create the boards. If the viewer has
        // left the group, the next poll rejects the viewer.
        guard error.sqlState == .lockNotAvailable || DomainError(error) != nil else { throw error }
      }
    }
    return isAny
  }

  // MARK: Calls

  private static func boards(_ topics: [Topic]) -> Call<[RunningBoardLine]> {
    .rows(
      SQL.Api.runningBoards, topics.map(\.group.text), topics.map(\.type.rawValue)
    ) { (row) throws(PostgresError) in try RunningBoardLine(row) }
  }

  private static func refusals(
    _ viewers: [(topic: Topic, viewer: ExactText)]
  ) -> Call<[(Int, DomainError)]> {
    .rows(
      SQL.Api.refusedViewers, viewers.map(\.viewer.text),
      viewers.map(\.topic.group.text)
    ) { (row) throws(PostgresError) in
      let (number, problem) = try row.decode(Int64.self, String.self)
      return (Int(number) - 1, try known(DomainError(code: problem), "the refusal \(problem)"))
    }
  }

  /// Builds boards from rows that are ordered so that each board's rows are consecutive.
  private static func assembled(
    _ lines: [RunningBoardLine], of topics: [Topic]
  ) throws(PostgresError) -> [Topic: (version: Version, snapshot: Snapshot)] {
    var boards: [Topic: (version: Version, snapshot: Snapshot)] = [:]
    boards.reserveCapacity(topics.count)
    var rest = lines[...]
    while let first = rest.first {
      let mine = rest.prefix { $0.number == first.number }
      rest = rest.dropFirst(mine.count)
      let topic = try topics.element(first.number)
      let entries = mine.compactMap(\.entry)
      let places = Dictionary(entries.enumerated().map { (ExactText($0.element.id), $0.offset) }) {
        first, _ in first
      }
      boards[topic] = (
        first.version,
        Snapshot(
          challenge: Challenge(
            id: ChallengeID(first.version.board).description, groupId: topic.group.text,
            type: topic.type, week: first.week, isActive: first.isActive,
            createdAt: first.createdAt),
          entries: entries, places: places, rankVersion: first.version.rankVersion,
          takenAt: first.takenAt)
      )
    }
    return boards
  }
}

/// A row of `running_boards`: a board and one of its entries, or no entry if it is empty.
private struct RunningBoardLine: Sendable {
  let number: Int64
  let version: BoardFeed.Version
  let week: Week
  let isActive: Bool
  let createdAt: Date
  let takenAt: Date
  let entry: LeaderboardEntry?

  init(_ row: Row) throws(PostgresError) {
    let (
      number, board, monday, isActive, createdAt, takenAt, rankVersion, mark, id, name, photo,
      value, rank, at
    ) = try row.decode(
      Int64.self, UUID.self, String.self, Bool.self, Timestamp.self, Timestamp.self, Int64.self,
      Int64.self, String?.self, String?.self, String?.self, Int32?.self, Int32?.self,
      Timestamp?.self)
    self.number = number
    version = BoardFeed.Version(
      board: board, week: monday, rankVersion: rankVersion, membersMark: mark)
    week = try known(Week(monday: monday), "week \(monday)")
    self.isActive = isActive
    self.createdAt = createdAt.date
    self.takenAt = takenAt.date
    entry = try LeaderboardEntry(
      id: id, displayName: name, photo: photo, value: value, rank: rank, lastUpdated: at)
  }
}

extension LeaderboardEntry {
  /// Creates an entry from the last columns of a row, or returns nil if the row contains no entry.
  init?(
    id: String?, displayName: String?, photo: String?, value: Int32?, rank: Int32?,
    lastUpdated: Timestamp?
  ) throws(PostgresError) {
    guard let id else { return nil }
    self.init(
      id: id, displayName: try known(displayName, "an entry without name"),
      photoURL: photo?.asPhotoURL, value: Int(try known(value, "an entry without value")),
      rank: Int(try known(rank, "an entry without rank")),
      lastUpdated: try known(lastUpdated, "an entry without time").date)
  }
}
