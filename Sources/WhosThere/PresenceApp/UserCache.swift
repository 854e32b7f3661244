public import Presence

/// Names and pictures of other users, fetched on demand and stored for a while.
///
/// Concurrent requests for one user share one fetch. A failure is not stored, but the fact that a user does not exist
/// is. A lower version never replaces a higher one.
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

  /// A cache that fetches users with a call of the server.
  ///
  /// - Parameters:
  ///   - mostUsers: the most users that are stored; the one that was not requested for the longest time is removed.
  ///   - lifetime: how long a stored user is used without another fetch.
  ///   - now: time that only goes forward, from wherever it began.
  ///   - fetch: returns the users of some ids; an id without a user does not exist.
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

  /// The same by the system's clock.
  public init(
    mostUsers: Int = 500, lifetime: Duration = .seconds(300),
    fetch: @escaping @Sendable ([String]) async throws -> [User]
  ) {
    let began = ContinuousClock.now
    self.init(
      mostUsers: mostUsers, lifetime: lifetime, now: { ContinuousClock.now - began }, fetch: fetch)
  }

  /// How many users are stored.
  public var count: Int { entries.count }

  /// A user; nil if there is none with this id.
  public func user(_ id: String) async throws -> User? { try await users([id])[id] }

  /// Users by id, in one call for all that are not stored; ids without a user are left out.
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

  /// Stores a user that was received in some other way, unless a higher version is known.
  public func keep(_ user: User) { keep(user, of: user.id) }

  /// Removes a user, so that the next request fetches them again.
  public func forget(_ id: String) {
    entries[id] = nil
    flights[id] = nil
  }

  /// Removes all users, and results of running fetches too, so that no data stays after a sign-out.
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
    // Not cancelled together with the first caller: others wait for it too.
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

  /// Stores the users that a fetch returned, except those that were removed while it was running.
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
