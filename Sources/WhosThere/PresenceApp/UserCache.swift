public import Presence
import ProductKit

/// A cache of other users' names and photos, which are fetched on demand.
///
/// Concurrent requests for the same user share one fetch. If a user does not exist, the cache
/// stores this fact. A failed fetch is not stored. A cached user is never replaced by a lower
/// version of the same user.
public actor UserCache {
  private struct Entry {
    var user: User?
    var fetchedAt: Duration
    var lastUse: Int
  }

  private struct Flight {
    let number: Int
    let task: Task<[[UInt8]: User], any Error>
  }

  private let mostUsers: Int
  private let lifetime: Duration
  private let now: @Sendable () -> Duration
  private let fetch: @Sendable ([String]) async throws -> [User]
  /// The cached users, keyed by the bytes of their ids.
  private var entries: [[UInt8]: Entry] = [:]
  private var flights: [[UInt8]: Flight] = [:]
  private var uses = 0
  private var lastFlight = 0

  /// Creates a cache that fetches users from the server.
  ///
  /// - Parameters:
  ///   - mostUsers: The maximum number of cached users. If the cache is full, the least recently
  ///     requested user is removed.
  ///   - lifetime: The time after which a cached user is refetched.
  ///   - now: A function that returns the time since an arbitrary start. The returned time never
  ///     decreases.
  ///   - fetch: A function that returns the users with the given ids. If the function's result does
  ///     not contain an id, no user has that id.
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

  /// Creates a cache that uses the operating system's clock.
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

  /// Returns the user with the given id, or nil if the user does not exist.
  public func user(_ id: String) async throws -> User? { try await users([id]).first }

  /// Returns the users with the given ids, with one fetch for all users who are not cached.
  ///
  /// The result contains each user once, in no particular order. Ids of users who do not exist are
  /// ignored.
  public func users(_ ids: [String]) async throws -> [User] {
    var found: [[UInt8]: User] = [:]
    var missing: [String] = []
    var waiting: [Int: Flight] = [:]
    let asked = Dictionary(ids.map { ($0.bytes, $0) }) { first, _ in first }
    for (key, id) in asked {
      if let entry = fresh(key) {
        found[key] = entry.user
      } else if let flight = flights[key] {
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
      found.merge(fetched.filter { asked[$0.key] != nil }) { $0.replaces($1) ? $0 : $1 }
    }
    return Array(found.values)
  }

  /// Stores the given user, unless the cache contains a higher version of that user.
  ///
  /// Fetched users are stored without calling this method.
  public func keep(_ user: User) { keep(user, of: user.id.bytes) }

  /// Removes a user from the cache, so that the next request refetches the user.
  public func forget(_ id: String) {
    entries[id.bytes] = nil
    flights[id.bytes] = nil
  }

  /// Removes all users and discards the results of fetches that are in progress.
  ///
  /// An app should call this method after the user signs out.
  public func forgetAll() {
    entries = [:]
    flights = [:]
  }

  private func fresh(_ key: [UInt8]) -> Entry? {
    guard let entry = entries[key], now() - entry.fetchedAt < lifetime else { return nil }
    uses += 1
    entries[key]?.lastUse = uses
    return entry
  }

  private func begin(_ ids: [String]) -> Flight {
    lastFlight += 1
    let number = lastFlight
    // The fetch continues if its first caller is cancelled, because other callers may be waiting
    // for the result.
    let keys = ids.map(\.bytes)
    let task = Task { [fetch] in
      do {
        let users = try await fetch(ids)
        let byId = Dictionary(users.map { ($0.id.bytes, $0) }) { $0.replaces($1) ? $0 : $1 }
        return end(number, keys, byId)
      } catch {
        _ = end(number, keys, nil)
        throw error
      }
    }
    let flight = Flight(number: number, task: task)
    for key in keys { flights[key] = flight }
    return flight
  }

  /// Stores the users that a fetch returned, except users who were removed during the fetch.
  private func end(
    _ number: Int, _ keys: [[UInt8]], _ users: [[UInt8]: User]?
  ) -> [[UInt8]: User] {
    for key in keys where flights[key]?.number == number {
      flights[key] = nil
      if let users { keep(users[key], of: key) }
    }
    return users ?? [:]
  }

  private func keep(_ user: User?, of key: [UInt8]) {
    uses += 1
    let known = entries[key]?.user
    let isNewer = user.map { $0.replaces(known) || $0.version == known?.version } ?? true
    entries[key] = Entry(user: isNewer ? user : known, fetchedAt: now(), lastUse: uses)
    guard entries.count > mostUsers,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    else { return }
    entries[oldest.key] = nil
  }
}
