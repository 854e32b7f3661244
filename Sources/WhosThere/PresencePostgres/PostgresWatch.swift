import BatonPostgres
import Presence
import PresenceSQL

/// Reads, from PostgreSQL, the data that a watch shows.
struct PostgresWatch: WatchRepository {
  let calls: ActorCalls

  func payload() async throws(AppError) -> WatchPayload {
    let groups = try await calls.run(
      .rows(SQL.Api.watchGroups, try calls.signedIn) { (row) throws(PostgresError) in
        let (id, name, count, isPresent, version) = try row.decode(
          String.self, String.self, Int32.self, Bool.self, Int64.self)
        return WatchGroup(
          id: id, name: name, presentCount: Int(count), isPresent: isPresent, version: version)
      })
    do { return try WatchPayload(fitting: groups) } catch { throw AppError(error) }
  }
}
