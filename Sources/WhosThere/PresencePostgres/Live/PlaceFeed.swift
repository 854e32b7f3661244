import BatonLive
import BatonPostgres
import Foundation
public import Presence
import PresenceSQL
import ProductKit
import ProductPostgres

/// A live feed of the users at groups' places, for the groups' members.
///
/// The page docs/internals/live.md describes live feeds.
struct PlaceFeed: LiveFeed {
  typealias Topic = ExactText
  typealias Viewer = ExactText
  typealias Element = Result<PresenceSnapshot, AppError>

  /// The version of a place, which changes whenever the place's visible content changes.
  struct Version: Equatable, Sendable {
    /// The version of the group's summary, which increases with every change that
    /// `summarize-groups` has processed.
    let line: Int64
    /// The current date in the group's time zone.
    ///
    /// A place shows the first arrival of the current date, so the place's version changes when the
    /// date changes.
    let date: String
  }

  /// A place at one point in time, for all of its viewers.
  struct Snapshot: Sendable {
    let place: ObservedPlace
    /// The states of all viewers, including viewers who are not at the place.
    let own: [ExactText: Presence]
    /// The members whom each viewer does not see because of blocks, keyed by the viewer.
    let hidden: [ExactText: [String]]
  }

  /// The name of the channel on which the `summarize-groups` job reports changes to places.
  let name = "presences"
  let late = Element.failure(.networkUnavailable)

  func failure(_ error: any Error) -> Element { .failure(AppError(ofDatabase: error)) }

  func element(of snapshot: Snapshot, for viewer: ExactText) -> Element {
    .success(
      PresenceSnapshot(
        summary: snapshot.place.summary, presences: snapshot.place.presences,
        own: snapshot.own[viewer], takenAt: snapshot.place.takenAt
      ).hiding(snapshot.hidden[viewer] ?? []))
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
    return try numbers.map { try known.element($0).topic }
  }

  func read(
    _ topics: [ExactText], for viewers: [(topic: ExactText, viewer: ExactText)],
    on session: Session
  ) async throws -> LiveReading<Self> {
    let observed = Set(topics)
    let those = viewers.filter { observed.contains($0.topic) }
    let (lines, refused, pairs): ([PlaceLine], [(Int, AppError)], [HiddenMembers.Pair]) =
      try await session.atomically(
        Self.places(topics, of: those), ViewerRefusals.call(viewers), HiddenMembers.call(those))
    var own: [ExactText: [ExactText: Presence]] = [:]
    for case .own(let topic, let viewer, let presence) in lines {
      own[topic, default: [:]][viewer] = presence
    }
    var hidden: [ExactText: [ExactText: [String]]] = [:]
    for pair in pairs {
      hidden[pair.topic, default: [:]][pair.viewer, default: []].append(pair.member)
    }
    var reading = LiveReading<Self>(
      refusals: Dictionary(refused.map { ($0.0, .failure($0.1)) }) { first, _ in first })
    for case .place(let topic, let version, let place) in lines {
      reading.topics[topic] = (
        version, Snapshot(place: place, own: own[topic] ?? [:], hidden: hidden[topic] ?? [:])
      )
    }
    return reading
  }

  private static func places(
    _ topics: [ExactText], of viewers: [(topic: ExactText, viewer: ExactText)]
  ) -> Call<[PlaceLine]> {
    .rows(
      SQL.Api.observedPresences, topics.map(\.text), viewers.map(\.viewer.text),
      viewers.map(\.topic.text)
    ) { (row) throws(PostgresError) in try PlaceLine(row, topics, viewers) }
  }
}

/// A row of `observed_presences`, which contains either a place or a viewer's presence at a place.
private enum PlaceLine: Sendable {
  case place(ExactText, PlaceFeed.Version, ObservedPlace)
  case own(ExactText, ExactText, Presence)

  init(
    _ row: Row, _ topics: [ExactText], _ viewers: [(topic: ExactText, viewer: ExactText)]
  ) throws(PostgresError) {
    let (
      number, line, date, place, viewer, isPresent, source, since, deadline, version, changedAt
    ) = try row.decode(
      Int64?.self, Int64?.self, String?.self, String?.self, Int64?.self, Bool?.self, String?.self,
      Timestamp?.self, Timestamp?.self, Int64?.self, Timestamp?.self)
    if let number, let line, let date, let place {
      let topic = try topics.element(number)
      let read = try known(
        try? WireFormat.read(ObservedPlace.self, from: Data(place.utf8)),
        "the place of \(topic.text)")
      self = .place(topic, PlaceFeed.Version(line: line, date: date), read)
      return
    }
    let (topic, user) = try viewers.element(
      try known(viewer, "a row without place and viewer"))
    let presence = try Presence(
      groupId: topic.text, userId: user.text, isPresent: isPresent, source: source, since: since,
      deadline: deadline, version: version, changedAt: changedAt)
    self = .own(topic, user, try known(presence, "a presence at \(topic.text)"))
  }
}

/// A place with the data that all viewers receive from the database.
struct ObservedPlace: Decodable, Sendable {
  let summary: GroupPresenceSummary
  let presences: [Presence]
  let takenAt: Date
}

extension PostgresPresences: PresenceRepository {
  /// Returns a stream of the users at a group's place, beginning with the current state.
  public func observe(_ groupId: String) -> AsyncStream<Result<PresenceSnapshot, AppError>> {
    PlaceFeed().stream(of: groupId, for: calls, on: calls.database.places)
  }
}
