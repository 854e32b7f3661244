import BatonLive
import BatonPostgres
import Presence
import PresenceSQL
import ProductPostgres

/// Finds the viewers who have no permission to read a group.
///
/// All live feeds use this type.
///
/// Each refusal consists of a viewer's index in the list of viewers, and an error.
enum ViewerRefusals {
  static func call(
    _ viewers: [(topic: ExactText, viewer: ExactText)]
  ) -> Call<[(Int, AppError)]> {
    .rows(
      SQL.Api.refusedViewers, viewers.map(\.viewer.text), viewers.map(\.topic.text)
    ) { (row) throws(PostgresError) in
      let (number, problem) = try row.decode(Int64.self, String.self)
      let error = AppError.refusals.first { $0.code == problem }
      return (Int(number) - 1, try known(error, "the refusal \(problem)"))
    }
  }
}

/// Finds, for each viewer, the members who have blocked the viewer or whom the viewer has blocked.
///
/// All live feeds use this type.
enum HiddenMembers {
  /// A viewer of a group, with a member whom the viewer does not see.
  struct Pair: Sendable {
    let topic: ExactText
    let viewer: ExactText
    let member: String
    /// Whether the viewer has blocked the member.
    let isBlocked: Bool
  }

  static func call(_ viewers: [(topic: ExactText, viewer: ExactText)]) -> Call<[Pair]> {
    .rows(
      SQL.Api.hiddenMembers, viewers.map(\.viewer.text), viewers.map(\.topic.text)
    ) { (row) throws(PostgresError) in
      let (number, member, isBlocked) = try row.decode(Int64.self, String.self, Bool.self)
      let (topic, viewer) = try viewers.element(number)
      return Pair(topic: topic, viewer: viewer, member: member, isBlocked: isBlocked)
    }
  }
}

extension LiveFeed where Topic == ExactText, Viewer == ExactText {
  /// Returns a stream of a group for an actor.
  ///
  /// The stream fails immediately if no user is signed in or if an id is invalid.
  func stream<Value>(
    of groupId: String, for calls: ActorCalls, on channel: LiveChannel<Self>
  ) -> AsyncStream<Element> where Element == Result<Value, AppError> {
    do throws(AppError) {
      let actor = try calls.signedIn
      // PostgreSQL does not accept a string that contains a NUL byte. All observers share one
      // statement, so one NUL byte would make it fail for all of them.
      guard !actor.utf8.contains(0), !groupId.utf8.contains(0) else {
        throw .invalidInput("an id has no character 0")
      }
      return channel.observe(ExactText(groupId), as: ExactText(actor))
    } catch {
      return AsyncStream { continuation in
        continuation.yield(.failure(error))
        continuation.finish()
      }
    }
  }
}
