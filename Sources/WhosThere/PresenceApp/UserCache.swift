public import Presence

/// Names and pictures of others, fetched when somebody asks and kept for a while.
///
/// Who is asked for while they are being fetched is fetched once. A failure is not kept, that there is nobody
/// is; a lower version never takes the place of a higher one.
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

  /// A cache that asks with a call of the server.
  ///
  /// - Parameters:
  ///   - mostUsers: more are not kept; who was not asked for the longest goes.
  ///   - lifetime: how long somebody is taken for unchanged.
  ///   - now: time that only goes forward, from wherever it began.
  ///   - fetch: the users of some ids; who is not among them is not there.
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

  /// How many are kept.
  public var count: Int { entries.count }

  /// A user; nil where there is nobody.
  public func user(_ id: String) async throws -> User? { try await users([id])[id] }

  /// Users by id, in one call for all that are not kept; who is not there is left out.
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

  /// Keeps what came some other way, unless a higher version is known.
  public func keep(_ user: User) { keep(user, of: user.id) }

  /// Asks anew for somebody the next time.
  public func forget(_ id: String) {
    entries[id] = nil
    flights[id] = nil
  }

  /// Forgets everybody, also those under way: whoever signs out leaves nothing behind.
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
    // Not cancelled with whoever asked first: others wait for it too.
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

  /// Keeps what a flight has brought, but for those who were forgotten while it was under way.
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
