import BatonLive
import BatonPostgres
package import Presence
import PresenceSQL
package import ProductPostgres

/// The place and chat streams for HTTP API clients.
///
/// A stream ends when its viewer's session ends.
struct PresenceStreams: Sendable {
  let places: StreamChannel<PlaceFeed>
  let chats: StreamChannel<ChatFeed>

  /// Creates the channels for places and chats in a hub.
  init(of hub: LiveHub) {
    places = StreamChannel(
      PlaceFeed(), of: hub, ended: Self.ended, refusal: AppError.sessionExpired)
    chats = StreamChannel(
      ChatFeed(page: PresenceDatabase.streamedMessages), of: hub, ended: Self.ended,
      refusal: AppError.sessionExpired)
  }

  /// Takes a list of session token hashes, and returns the zero-based indices of the sessions that
  /// have ended.
  private static let ended: @Sendable ([String], Session) async throws -> [Int] = {
    hashes, session in
    let list = Call.rows(SQL.Api.endedSessions, hashes) { (row) throws(PostgresError) in
      try row.decode(Int64.self)
    }
    let numbers: [Int64] = try await session.atomically(list)
    return numbers.map { Int($0) - 1 }
  }
}

extension PlaceFeed: StreamableFeed {
  typealias Value = PresenceSnapshot
  typealias Failure = AppError

  func text(of version: Version) -> String { "\(version.line)_\(version.date)" }

  /// Returns false if a block hides at least one member of the group from the viewer.
  func isShared(_ snapshot: Snapshot, with viewer: ExactText) -> Bool {
    snapshot.hidden[viewer] == nil
  }
}

extension ChatFeed: StreamableFeed {
  typealias Value = [Message]
  typealias Failure = AppError

  func text(of version: Int64) -> String { String(version) }

  /// Returns false if the viewer has blocked at least one member of the group.
  func isShared(_ snapshot: Snapshot, with viewer: ExactText) -> Bool {
    snapshot.blocked[viewer] == nil
  }
}

extension PresenceDatabase {
  /// The maximum number of messages in an element of ``chatStream(of:for:)``.
  package static let streamedMessages = 100

  /// Opens a stream of the users at a group's place.
  package func placeStream(
    of groupId: String, for viewer: StreamViewer
  ) -> LiveStream<PresenceSnapshot> {
    guard !groupId.utf8.contains(0) else { return .refused(Self.zeroByte) }
    return streams.places.open(ExactText(groupId), as: viewer)
  }

  /// Opens a stream of a group's newest messages, newest first.
  package func chatStream(of groupId: String, for viewer: StreamViewer) -> LiveStream<[Message]> {
    guard !groupId.utf8.contains(0) else { return .refused(Self.zeroByte) }
    return streams.chats.open(ExactText(groupId), as: viewer)
  }

  private static var zeroByte: AppError { .invalidInput("an id has no character 0") }
}
