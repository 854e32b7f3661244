import Baton
import Synchronization

/// Limits login attempts per IP address and per user name.
///
/// - An IP address has ten attempts, and then gets one attempt every three seconds.
/// - A user name has thirty attempts, and then gets one attempt per second. The limit for a name is
///   higher than the limit for an address. A flood of attempts from one address does not lock out a
///   user at another address.
/// - If a name has already logged in from an address, attempts with this name from this address
///   have a separate limit. Attempts from other addresses do not affect the limit of this name and
///   address.
///
/// A successful login does not restore attempts. If a login restored attempts, a user could guess
/// another user's password without a limit, by logging in between the guesses. Requests with a
/// session or a token are not limited.
final class LoginLimiter: Sendable {
  /// The number of attempts that are available immediately, and the seconds until the next attempt.
  fileprivate struct Rate {
    let most: Double
    let pause: Double
    static let address = Rate(most: 10, pause: 3)
    static let name = Rate(most: 30, pause: 1)
  }

  fileprivate enum Key: Hashable {
    case address([UInt8])
    case name(String)
    case known(String, [UInt8])

    var rate: Rate {
      if case .name = self { .name } else { .address }
    }
  }

  fileprivate struct Bucket {
    var left: Double
    var at: ContinuousClock.Instant
  }

  fileprivate struct State {
    var buckets: [Key: Bucket] = [:]
    /// The pairs of a user name and the IP address from which the user has logged in, newest last.
    var known: [Key] = []
  }

  /// The maximum number of addresses and names whose remaining attempts are stored in memory.
  private static let mostBuckets = 10_000
  /// The maximum number of stored pairs of a user name and an IP address.
  private static let mostKnown = 1_000

  private let state = Mutex(State())

  /// Uses one of the address's attempts and one of the name's attempts, if both are available.
  ///
  /// - Returns: nil if an attempt was available, or the number of seconds until the next attempt.
  func take(
    _ name: String, from address: String, at now: ContinuousClock.Instant = .now
  ) -> Int? {
    let place = Self.place(of: address)
    return state.withLock { state in
      let known = Key.known(name, place)
      let keys = [.address(place), state.known.contains(known) ? known : .name(name)]
      let buckets = keys.map { state.bucket($0, at: now) }
      let waits = zip(keys, buckets).map { key, bucket in (1 - bucket.left) * key.rate.pause }
      if let wait = waits.max(), wait > 0 { return Int(wait.rounded(.up)) }
      state.makeRoom(at: now, upTo: Self.mostBuckets - keys.count)
      for (key, bucket) in zip(keys, buckets) {
        state.buckets[key] = Bucket(left: bucket.left - 1, at: now)
      }
      return nil
    }
  }

  /// Records that a name has logged in from an address.
  func succeeded(_ name: String, from address: String) {
    let known = Key.known(name, Self.place(of: address))
    state.withLock { state in
      state.known.removeAll { $0 == known }
      state.known.append(known)
      if state.known.count > Self.mostKnown { state.known.removeFirst() }
    }
  }

  /// Returns the part of an IP address that a client cannot change freely.
  ///
  /// A client usually controls a whole network of IPv6 addresses, whose first 64 bits are equal.
  private static func place(of address: String) -> [UInt8] {
    let bytes = IPAddress.bytes(of: address) ?? Array(address.utf8)
    return bytes.count == 16 ? Array(bytes.prefix(8)) : bytes
  }
}

extension LoginLimiter.State {
  /// Returns the attempts available to an address or a name, including the attempts that have
  /// become available since the last call.
  fileprivate func bucket(
    _ key: LoginLimiter.Key, at now: ContinuousClock.Instant
  ) -> LoginLimiter.Bucket {
    guard let bucket = buckets[key] else { return .init(left: key.rate.most, at: now) }
    let waited = max(0, bucket.at.duration(to: now) / .seconds(1))
    return .init(left: min(key.rate.most, bucket.left + waited / key.rate.pause), at: now)
  }

  /// Removes entries if the limiter stores more than `most` addresses and names.
  ///
  /// The method first removes each address or name that has its maximum number of available
  /// attempts. If too many entries remain, the method also removes the oldest entries.
  fileprivate mutating func makeRoom(at now: ContinuousClock.Instant, upTo most: Int) {
    guard buckets.count > most else { return }
    buckets = buckets.filter { bucket($0.key, at: now).left < $0.key.rate.most }
    guard buckets.count > most else { return }
    for (key, _) in buckets.sorted(by: { $0.value.at < $1.value.at }).prefix(most / 10) {
      buckets[key] = nil
    }
  }
}
