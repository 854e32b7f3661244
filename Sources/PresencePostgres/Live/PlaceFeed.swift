import Foundation
import Live
import Postgres
public import Presence
import PresenceSQL

/// Who is at the places of groups, as their members observe it. docs/live.md
struct PlaceFeed: LiveFeed {
  typealias Topic = ExactText
  typealias Viewer = ExactText
  typealias Element = Result<PresenceSnapshot, AppError>

  /// What is seen of a place changes with it.
  struct Version: Equatable, Sendable {
    /// Of the group's line, which counts every change of a presence that the job has seen.
    let line: Int64
    /// The group's date: on the next one nobody has come first yet.
    let date: String
  }

  /// A place at one moment, for all of its viewers.
  struct Snapshot: Sendable {
    let place: ObservedPlace
    /// Also of those who are not there.
    let presences: [ExactText: Presence]
  }

  /// What `summarize-groups` says.
  let name = "presences"
  let late = Element.failure(.networkUnavailable)

  func element(of snapshot: Snapshot, for viewer: ExactText) -> Element {
    .success(
      PresenceSnapshot(
        summary: snapshot.place.summary, presences: snapshot.place.presences,
        own: snapshot.presences[viewer], takenAt: snapshot.place.takenAt))
  }

  func key(of topic: ExactText, at version: Version) -> String? { topic.text }

  func listChanged(
    _ known: [(topic: ExactText, version: Version?)], on session: Session
  ) async throws -> [ExactText] {
    let list = Call.rows(
      SQL.Api.changedPlaces, known.map(\.topic.text), known.map(\.version?.line),
      known.map(\.version?.date)
    ) { (row) throws(PostgresError) in try row.decode(Int64.self) }
    let numbers: [Int64] = try await session.atomically(list)
    return numbers.map { known[Int($0) - 1].topic }
  }

  func read(
    _ topics: [ExactText], for viewers: [(topic: ExactText, viewer: ExactText)],
    on session: Session
  ) async throws -> LiveReading<Self> {
    let (places, refused): ([(Int, Version, Snapshot)], [(Int, AppError)]) =
      try await session.atomically(Self.places(topics), ViewerRefusals.call(viewers))
    return LiveReading<Self>(
      topics: Dictionary(
        uniqueKeysWithValues: places.map { (topics[$0.0], (version: $0.1, snapshot: $0.2)) }),
      refusals: Dictionary(refused.map { ($0.0, .failure($0.1)) }) { first, _ in first })
  }

  private static func places(_ topics: [ExactText]) -> Call<[(Int, Version, Snapshot)]> {
    .rows(SQL.Api.observedPlaces, topics.map(\.text)) { (row) throws(PostgresError) in
      let (number, line, date, place, absent) = try row.decode(
        Int64.self, Int64.self, String.self, String.self, String.self)
      let topic = topics[Int(number) - 1].text
      let read = try known(
        try? WireFormat.read(ObservedPlace.self, from: Data(place.utf8)), "the place of \(topic)")
      let gone = try known(
        try? WireFormat.read([Presence].self, from: Data(absent.utf8)), "who left \(topic)")
      let all = (read.presences + gone).map { (ExactText($0.userId), $0) }
      return (
        Int(number) - 1, Version(line: line, date: date),
        Snapshot(place: read, presences: Dictionary(all) { first, _ in first })
      )
    }
  }
}

/// A place as the database reads it for all viewers.
struct ObservedPlace: Decodable, Sendable {
  let summary: GroupPresenceSummary
  let presences: [Presence]
  let takenAt: Date
}

extension PostgresPresences: PresenceRepository {
  /// Who is there now, then after each change.
  public func observe(_ groupId: String) -> AsyncStream<Result<PresenceSnapshot, AppError>> {
    PlaceFeed().stream(of: groupId, for: calls, on: calls.database.places)
  }
}
