public import Presence

/// A cache of names and photos of other users, which are fetched on demand.
///
/// Concurrent requests for the same user share one fetch. The cache also stores that a user does
/// not exist, but it does not store failures. A lower version never replaces a higher one.
public actor UserCache {
  private struct Entry {
    var user: User?
    var fetchedAt: Duration
    var lastUse: Int
  }

  private struct Flight {
    let number: Int
    let task: Task<[String: User], any Error>
  }

  private let mostUsers: Int
  private let lifetime: Duration
  private let now: @Sendable () -> Duration
  private let fetch: @Sendable ([String]) async throws -> [User]
  private var entries: [String: Entry] = [:]
  private var flights: [String: Flight] = [:]
  private var uses = 0
  private var lastFlight = 0

  /// Creates a cache that fetches users from the server.
  ///
  /// - Parameters:
  ///   - mostUsers: The maximum number of users, beyond which the least recently requested user is
  ///     removed.
  ///   - lifetime: The time for which a cached user is used without another fetch.
  ///   - now: A clock that never runs backward, with an arbitrary start.
  ///   - fetch: A function that returns the users with the given ids. If an id is missing in the
  ///     result, the user does not exist.
  public init(
    mostUsers: Int = 500, lifetime: Duration = .seconds(300),
    now: @escaping @Sendable () -> Duration,
    fetch: @escaping @Sendable ([String]) async throws -> [User]
  ) {
    self.mostUsers = max(1, mostUsers)
    self.lifetime = lifetime
    self.now = now
    self.fetch = fetch
  }

  /// Creates a cache that uses the clock of the operating system.
  public init(
    mostUsers: Int = 500, lifetime: Duration = .seconds(300),
    fetch: @escaping @Sendable ([String]) async throws -> [User]
  ) {
    let began = ContinuousClock.now
    self.init(
      mostUsers: mostUsers, lifetime: lifetime, now: { ContinuousClock.now - began }, fetch: fetch)
  }

  /// The number of cached users.
  public var count: Int { entries.count }

  /// Returns a user, or nil if no user has this id.
  public func user(_ id: String) async throws -> User? { try await users([id])[id] }

  /// Returns users by id, with one fetch for all users that are not cached.
  ///
  /// Ids without a user are missing from the result.
  public func users(_ ids: [String]) async throws -> [String: User] {
    var found: [String: User] = [:]
    var missing: [String] = []
    var waiting: [Int: Flight] = [:]
    let asked = Set(ids)
    for id in asked {
      if let entry = fresh(id) {
        found[id] = entry.user
      } else if let flight = flights[id] {
        waiting[flight.number] = flight
      } else {
        missing.append(id)
      }
    }
    if !missing.isEmpty {
      let flight = begin(missing.sorted())
      waiting[flight.number] = flight
    }
    for flight in waiting.values {
      let fetched = try await flight.task.value
      found.merge(fetched.filter { asked.contains($0.key) }) { $0.replaces($1) ? $0 : $1 }
    }
    return found
  }

  /// Stores a user that was received in another way, unless a higher version is cached.
  public func keep(_ user: User) { keep(user, of: user.id) }

  /// Removes a user, so that the next request fetches the user again.
  public func forget(_ id: String) {
    entries[id] = nil
    flights[id] = nil
  }

  /// Removes all users and discards the results of running fetches, so that no data stays after a
  /// sign-out.
  public func forgetAll() {
    entries = [:]
    flights = [:]
  }

  private func fresh(_ id: String) -> Entry? {
    guard let entry = entries[id], now() - entry.fetchedAt < lifetime else { return nil }
    uses += 1
    entries[id]?.lastUse = uses
    return entry
  }

  private func begin(_ ids: [String]) -> Flight {
    lastFlight += 1
    let number = lastFlight
    // The task is not cancelled together with the first caller, because other callers may wait for
    // it.
    let task = Task { [fetch] in
      do {
        let users = try await fetch(ids)
        return end(number, ids, Dictionary(users.map { ($0.id, $0) }) { $0.replaces($1) ? $0 : $1 })
      } catch {
        _ = end(number, ids, nil)
        throw error
      }
    }
    let flight = Flight(number: number, task: task)
    for id in ids { flights[id] = flight }
    return flight
  }

  /// Stores the users that a fetch returned, except users that were removed during the fetch.
  private func end(_ number: Int, _ ids: [String], _ users: [String: User]?) -> [String: User] {
    for id in ids where flights[id]?.number == number {
      flights[id] = nil
      if let users { keep(users[id], of: id) }
    }
    return users ?? [:]
  }

  private func keep(_ user: User?, of id: String) {
    uses += 1
    let known = entries[id]?.user
    let isNewer = user.map { $0.replaces(known) || $0.version == known?.version } ?? true
    entries[id] = Entry(user: isNewer ? user : known, fetchedAt: now(), lastUse: uses)
    guard entries.count > mostUsers,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    else { return }
    entries[oldest.key] = nil
  }
}
