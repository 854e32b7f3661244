#if HTTP
  import BatonLive
  import Synchronization

  /// A cache that maps identities to user ids.
  ///
  /// Each user id is stored for a limited time.
  ///
  /// If a user is deleted, the database rejects the user's id, and the API removes it from the
  /// cache.
  ///
  /// Identities are compared byte by byte, as in the database. Two Unicode spellings of a subject
  /// are equal as `String` values, but can belong to two users.
  final class KnownUsers: Sendable {
    private struct Entry {
      let user: String
      let until: ContinuousClock.Instant
    }

    private static let lifetime = Duration.seconds(300)
    private static let most = 50_000

    private let entries = Mutex<[ExactText: Entry]>([:])

    private static func key(of identity: UserIdentity) -> ExactText { ExactText(identity.key.text) }

    /// Returns the stored id, or nil if none is stored.
    func user(of identity: UserIdentity) -> String? {
      entries.withLock { entries in
        guard let entry = entries[Self.key(of: identity)], .now < entry.until else { return nil }
        return entry.user
      }
    }

    /// Stores an id.
    ///
    /// If the cache is full, all stored ids are removed first.
    func add(_ user: String, of identity: UserIdentity) {
      entries.withLock { entries in
        if entries.count >= Self.most { entries.removeAll() }
        entries[Self.key(of: identity)] = Entry(user: user, until: .now + Self.lifetime)
      }
    }

    /// Removes the id of an identity.
    func remove(_ identity: UserIdentity) { entries.withLock { $0[Self.key(of: identity)] = nil } }
  }
#endif
