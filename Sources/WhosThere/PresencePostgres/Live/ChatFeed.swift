import BatonLive
import BatonPostgres
import Foundation
public import Presence
import PresenceSQL
import ProductPostgres

/// A live feed of groups' newest messages, for the groups' members.
///
/// The page docs/internals/live.md describes live feeds.
struct ChatFeed: LiveFeed {
  typealias Topic = ExactText
  typealias Viewer = ExactText
  typealias Element = Result<[Message], AppError>

  /// The newest messages of a chat, for all of its viewers.
  struct Snapshot: Sendable {
    var messages: [Message] = []
    /// The members whom each viewer has blocked, keyed by the viewer.
    var blocked: [ExactText: [String]] = [:]
  }

  /// The name of the channel on which `chat_written` reports changes to chats.
  let name = "chats"
  let late = Element.failure(.networkUnavailable)
  /// The maximum number of messages in a snapshot.
  var page = PostgresChat.page

  func failure(_ error: any Error) -> Element { .failure(AppError(ofDatabase: error)) }

  func element(of snapshot: Snapshot, for viewer: ExactText) -> Element {
    guard let blocked = snapshot.blocked[viewer] else { return .success(snapshot.messages) }
    return .success(snapshot.messages.map { $0.seen(blocking: blocked) })
  }

  func key(of topic: ExactText, at version: Int64) -> String? { topic.text }

  func listChanged(
    _ known: [(topic: ExactText, version: Int64?)], on session: Session
  ) async throws -> [ExactText] {
    let list = Call.rows(
      SQL.Api.changedChats, known.map(\.topic.text), known.map(\.version)
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
    let (lines, refused, pairs): ([ChatLine], [(Int, AppError)], [HiddenMembers.Pair]) =
      try await session.atomically(
        chats(topics), ViewerRefusals.call(viewers), HiddenMembers.call(those))
    var reading = LiveReading<Self>(
      refusals: Dictionary(refused.map { ($0.0, .failure($0.1)) }) { first, _ in first })
    for line in lines {
      let topic = try topics.element(line.number)
      var snapshot = reading.topics[topic]?.snapshot ?? Snapshot()
      snapshot.messages += [line.message].compactMap { $0 }
      reading.topics[topic] = (line.version, snapshot)
    }
    for pair in pairs where pair.isBlocked {
      reading.topics[pair.topic]?.snapshot.blocked[pair.viewer, default: []].append(pair.member)
    }
    return reading
  }

  private func chats(_ topics: [ExactText]) -> Call<[ChatLine]> {
    .rows(
      SQL.Api.observedChats, topics.map(\.text), Int32(page)
    ) { (row) throws(PostgresError) in try ChatLine(row) }
  }
}

/// A row of `observed_chats`, which contains a chat and one of its messages, or no message if it is
/// empty.
private struct ChatLine: Sendable {
  let number: Int64
  let version: Int64
  let message: Message?

  init(_ row: Row) throws(PostgresError) {
    let (number, version, id, group, user, text, sentAt, isDeleted) = try row.decode(
      Int64.self, Int64.self, UUID?.self, String?.self, String?.self, String?.self,
      Timestamp?.self, Bool?.self)
    self.number = number
    self.version = version
    guard let id, let group, let text, let sentAt, let isDeleted else {
      message = nil
      return
    }
    message = Message(
      id: id, groupId: group, userId: user, text: text, sentAt: sentAt.date, isDeleted: isDeleted)
  }
}

extension PostgresChat: ChatRepository {
  /// Returns a stream of the newest page of messages, beginning with the current page.
  public func observeMessages(
    of groupId: String
  ) -> AsyncStream<Result<[Message], AppError>> {
    ChatFeed().stream(of: groupId, for: calls, on: calls.database.chats)
  }
}
