import BatonLive
import BatonPostgres
import Presence
import PresenceSQL

/// Which viewers may not see what happens in a group, for every feed: a viewer's place in the list, and why.
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

extension LiveFeed where Topic == ExactText, Viewer == ExactText {
  /// A stream of a group for an actor; it fails at once if no user is signed in or if an id is invalid.
  func stream<Value>(
    of groupId: String, for calls: ActorCalls, on channel: LiveChannel<Self>
  ) -> AsyncStream<Element> where Element == Result<Value, AppError> {
    do throws(AppError) {
      let actor = try calls.signedIn
      // PostgreSQL takes no such text; all observers are asked about in one statement.
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
